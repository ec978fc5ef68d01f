/* Play the cases of a file in node, and print the results. */

import { readFileSync } from "node:fs";
import { openEngine } from "../../../reports/live/engine.js";
import { played } from "./played.js";

const { live, cases } = JSON.parse(readFileSync(String(process.argv[2]), "utf8"));
console.log(JSON.stringify(await played(await openEngine(live), cases)));
