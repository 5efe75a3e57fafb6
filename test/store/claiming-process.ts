/** A process of its own that claims the directory given to it, says so on standard output, and waits to be ended. */
import { claimDataDirectory } from '../../src/main/store/directory-claim.ts';

const claim = await claimDataDirectory(process.argv[2] ?? '', { patienceMs: 0 });
process.stdout.write(claim.claimed ? 'claimed\n' : 'running\n');
setInterval(() => {}, 1000);
