import type { Database, DatabaseSource } from '../../store/connect/Database.ts'
import { DatabaseUnavailableError } from '../../store/errors.ts'

/** Stands for a database that is being opened: until it is, whoever asks is told so. */
export const lateDatabase = (
  opening: Promise<Database>,
): Pick<Database, 'reader' | 'stats'> & { readonly source: DatabaseSource | undefined } => {
  let opened: Database | undefined
  let isRefused = false
  opening.then(
    (database) => {
      opened = database
    },
    // Whoever waits for the opening itself has something to say about it.
    () => {
      isRefused = true
    },
  )
  return {
    reader: () => {
      if (opened !== undefined) return opened.reader()
      throw new DatabaseUnavailableError(
        isRefused ? 'The index could not be opened.' : 'The index is being opened. Try again in a moment.',
      )
    },
    get source() {
      return opened?.source
    },
    stats: () => opened?.stats() ?? { connections: [], servers: [] },
  }
}
