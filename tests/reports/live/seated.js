/* Compute the page's data of a table with a seat: reads {held, table, changes}. */

import { readFileSync } from "node:fs";
import { seatedAt } from "../../../reports/live/sit_down.js";

const { held, table, changes } = JSON.parse(readFileSync(0, "utf8"));
/** @param {string} clan */
const numberOf = (clan) => table.all.indexOf(clan);
console.log(JSON.stringify(seatedAt(held, { ...table, numberOf }, changes)));
