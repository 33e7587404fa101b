import { NodeUnavailableError } from '../../chain/errors.ts'

/** Advice for a missing or wrong folder. */
export const locationAdvice =
  'Give the db folder of a node (the one with archive/packages in it), a folder with .pack files, or such files.'

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | undefined)?.code

/** The file does not exist (any more). Nodes delete old packages at any time, so this is the end of history, not damage. */
export const isMissing = (error: unknown): boolean => {
  const code = codeOf(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}

/** Maps a file system error to one of ours. Other errors are bugs and returned unchanged. */
export const describeFileError = (error: unknown, path: string): unknown => {
  const code = codeOf(error)
  if (code === undefined || !(error instanceof Error) || !('syscall' in error)) return error
  return new NodeUnavailableError(`${path} cannot be read (${code}). ${adviceFor(code)}`, { cause: error })
}

const adviceFor = (code: string): string => {
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return 'A node lets only its own user read its packages: run this as that user, or allow others to read them.'
    case 'EMFILE':
    case 'ENFILE':
      return 'Too many files are open: raise the limit (ulimit -n).'
    case 'ENOENT':
    case 'ENOTDIR':
      return locationAdvice
    default:
      return 'Look at the disk and the mount it is on.'
  }
}
