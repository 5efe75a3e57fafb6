/** Imported before any schema: the page's policy forbids `eval`, and zod would try it to go faster. */
import { config } from 'zod';

config({ jitless: true });
