/* Unpack data that the page holds compressed. */

/** Unpack a text that `packed_base64` in reports/rendering/pages.py packed. @param {string} text */
export async function unpackedBytes(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Unpack the data of an element; null if the page has none. @param {string} id */
export async function unpackedData(id) {
  const text = document.getElementById(id)?.textContent;
  return text ? JSON.parse(new TextDecoder().decode(await unpackedBytes(JSON.parse(text)))) : null;
}
