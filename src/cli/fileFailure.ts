/** What the system says when it does not do something to a file. */
type SystemError = NodeJS.ErrnoException & { readonly code: string; readonly syscall: string }

export type FileFailure = { readonly message: string; readonly advice: string }

const reasons: Readonly<Record<string, readonly [reason: string, advice: string]>> = {
  EROFS: [
    'the file system is read-only',
    'Name a folder that can be written to with --data-dir, or mount this one for writing.',
  ],
  EACCES: [
    'the user of this process may not',
    'Let that user read and write it, or name another folder with --data-dir.',
  ],
  EPERM: [
    'the user of this process may not',
    'Let that user read and write it, or name another folder with --data-dir.',
  ],
  ENOSPC: ['no space is left', 'Make room on the disk, or name a folder on another one with --data-dir.'],
  EDQUOT: ['the quota of the user is used up', 'Make room, raise the quota, or name another folder with --data-dir.'],
  EIO: ['the disk failed', 'Look at the disk and the mount it is on; restore what is damaged from a backup.'],
  EMFILE: ['too many files are open', 'Raise the limit of open files (ulimit -n).'],
  ENFILE: ['too many files are open', 'Raise the limit of open files (ulimit -n).'],
  ENOENT: ['it is not there', 'Check the path, and the folder it is in.'],
  ENOTDIR: ['a part of the path is not a folder', 'Check the path, and what --data-dir names.'],
  EISDIR: ['it is a folder', 'Check the path, and what --data-dir names.'],
  EEXIST: ['it is there already', 'Move it away, or name another folder with --data-dir.'],
  ENAMETOOLONG: ['the path is too long', 'Name a folder with a shorter path with --data-dir.'],
  ELOOP: ['its links lead in a circle', 'Check the path, and what --data-dir names.'],
  EBUSY: ['something else uses it', 'Stop what uses it, and try again.'],
  EFBIG: ['it would become too large', 'Raise the limit on file sizes (ulimit -f), or use another file system.'],
}

const OTHER_ADVICE = 'Look at the disk and the mount it is on, and at what --data-dir names.'

/** What a failure of the file system means; `undefined` where the error, or what caused it, is none. */
export const describeFileFailure = (error: unknown): FileFailure | undefined => {
  const failure = findSystemError(error)
  if (failure === undefined) return undefined
  const [reason, advice] = reasons[failure.code] ?? [failure.message, OTHER_ADVICE]
  const what = failure.path === undefined ? 'a file' : failure.path
  return { message: `The system refused "${failure.syscall}" of ${what}: ${reason} (${failure.code}).`, advice }
}

/** Errors of connections have an address, those of files a path or, where a file was open, neither. */
const findSystemError = (error: unknown): SystemError | undefined => {
  if (!(error instanceof Error)) return undefined
  const { code, syscall, address, port } = error as NodeJS.ErrnoException & { address?: unknown; port?: unknown }
  const isOfFile =
    typeof code === 'string' && typeof syscall === 'string' && address === undefined && port === undefined
  if (isOfFile && FILE_CALLS.test(syscall)) return error as SystemError
  return findSystemError(error.cause)
}

const FILE_CALLS =
  /^(access|chmod|chown|close|copyfile|fchmod|fdatasync|fstat|fsync|ftruncate|link|lstat|mkdir|mkdtemp|open|opendir|read|readdir|readlink|realpath|rename|rm|rmdir|scandir|spawn|stat|statfs|symlink|truncate|unlink|utime|watch|write)\b/
