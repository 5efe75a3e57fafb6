/** Prints the browser that the floor would open as JSON. Run with Node 24, which reads TypeScript. */
import { findBrowser } from '../src/main/machine/browsers.ts';

console.log(JSON.stringify(await findBrowser()));
