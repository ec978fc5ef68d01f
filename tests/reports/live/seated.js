/* What the page knows of a table that it seats somebody at: reads {held, table, changes}. */

import { readFileSync } from "node:fs";
import { seatedAt } from "../../../reports/live/sit_down.js";

const { held, table, changes } = JSON.parse(readFileSync(0, "utf8"));
/** @param {string} clan */
const numberOf = (clan) => table.all.indexOf(clan);
console.log(JSON.stringify(seatedAt(held, { ...table, numberOf }, changes)));
