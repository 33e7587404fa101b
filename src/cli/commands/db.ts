import type { Command } from '../Command.ts'

export const db: Command = {
  name: 'db',
  summary: 'Looks after the database: migrate brings its tables up to date, status tells what is in it.',
  parameters: [{ name: 'action', about: 'migrate or status.' }],
  notes: [
    'Without --database-url it works on the server that comes with the program and keeps its data in the data folder. Where a process of the program uses that server already, it is shared; otherwise it is started, and stopped again at the end.',
    'migrate is safe to run at any time and from several places at once: one does the work and the others wait. It only goes forward, and refuses a database that a newer version of the program has changed.',
    'With --distribute, migrate also spreads the tables over a Citus cluster, mostly by account. Tables that are spread already are left alone.',
    'status counts rows as the server estimates them; transactions are counted exactly, unless there are very many blocks.',
  ],
  run: async (context, [action]) => (await import('../database/runDb.ts')).runDb(context, action ?? ''),
}
