import type { Database } from '../../store/connect/Database.ts'
import { DatabaseUnavailableError } from '../../store/errors.ts'

/** Stands for a database that is being opened: until it is, whoever asks is told so. */
export const lateDatabase = (opening: Promise<Database>): Pick<Database, 'reader'> => {
  let opened: Database | undefined
  opening.then(
    (database) => {
      opened = database
    },
    // Whoever waits for the opening itself has something to say about it.
    () => undefined,
  )
  return {
    reader: () => {
      if (opened === undefined) throw new DatabaseUnavailableError('The index is being opened. Try again in a moment.')
      return opened.reader()
    },
  }
}
