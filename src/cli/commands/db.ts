import type { Command } from '../Command.ts'

export const db: Command = {
  name: 'db',
  summary:
    'Looks after the database: brings its tables up to date, tells what is in it, checks the index, mends it, takes some of it back.',
  parameters: [
    { name: 'action', about: 'migrate, status, verify, repair, reclassify or rewind.' },
    { name: 'seqno', about: 'For rewind: the masterchain block to go back to.', optional: true },
  ],
  notes: [
    'Without --database-url it works on the server that comes with the program and keeps its data in the data folder. Where a process of the program uses that server already, it is shared; otherwise it is started, and stopped again at the end.',
    'migrate is safe to run at any time and from several places at once: one does the work and the others wait. It only goes forward, and refuses a database that a newer version of the program has changed.',
    'With --distribute, migrate also spreads the tables over a Citus cluster, mostly by account. Tables that are spread already are left alone. This is experimental and not ready for use. On Citus 13.2 the tables are distributed, and then index retries without end, most v3 requests answer 500 while /ready says ready, classification, metadata, rewind and repair are refused, and status sees the coordinator only.',
    'status counts rows as the server estimates them; transactions are counted exactly, unless there are very many blocks.',
    'verify reads the rows of all covered blocks, or of those from --from to --to, and compares them with the hash that was stored when they were written. Where the settings name the network or --archive, every block is also compared with what the source has; where the data folder holds an embedded network, every block in its packages is compared with its hash, and damage is named with file and block. It prints a line for each finding and a last one with the counts; the exit code is 1 where something was found. An indexer may run meanwhile.',
    'repair does the same and puts what the source has in place of what is damaged; traces, token events and contracts are left alone, which a rewind and indexing again mend. The exit code is 1 where something could not be mended.',
    'reclassify says anew what happened in the traces that ended in the blocks from --from to --to, or in all: for when the program has learnt more about contracts. Nothing is indexed again. Where an indexer is at work, it is left to that.',
    'rewind takes back all that was indexed above a masterchain block; the next run of index goes on from there. repair and rewind take the place of the indexer, and refuse while one is at work.',
  ],
  examples: [
    ['chaincenter db status', 'what is covered, how old, how large, how much a day'],
    [
      'chaincenter db migrate --database-url postgres://user:password@host:5432/name',
      'brings the tables of a server of your own up to date',
    ],
    ['chaincenter db verify --network main --from 60000000', 'the rows against their hashes and against the network'],
    ['chaincenter db rewind 60000000', 'takes back all above a block'],
  ],
  run: async (context, words) => (await import('../database/runDb.ts')).runDb(context, words),
}
