import { accessSync, constants, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { SettingsError } from '../config/errors.ts'
import { CodedError } from '../primitives/errors.ts'
import { exitCodes, UsageError } from './errors.ts'

export type FailureReport = {
  readonly exitCode: number
  /** For people: the error, what to do, and with --verbose the stack. */
  readonly text: string
  /** For programs. */
  readonly value: { readonly error: { readonly code: string; readonly message: string; readonly advice: string } }
}

/** Describes a failed command: one sentence about the error and one about what to do. */
export const describeFailure = (error: unknown, verbose: boolean): FailureReport => {
  const { exitCode, code, message, advice } = classify(error)
  const stack = verbose && error instanceof Error ? `\n\n${formatStacks(error)}` : ''
  return {
    exitCode,
    text: withoutControls(`${message}\n${advice}${stack}`),
    value: { error: { code, message, advice } },
  }
}

/** An error of a file system call. */
type SystemError = NodeJS.ErrnoException & { readonly code: string; readonly syscall: string }

export type FileFailure = { readonly message: string; readonly advice: string }

const reasons: Readonly<Record<string, readonly [reason: string, advice: string]>> = {
  EROFS: ['the file system is read-only', 'Set a writable folder with --data-dir, or mount this one read-write.'],
  EACCES: [
    'permission denied for the user of this process',
    'Grant that user read and write access, or set another folder with --data-dir.',
  ],
  EPERM: [
    'permission denied for the user of this process',
    'Grant that user read and write access, or set another folder with --data-dir.',
  ],
  ENOSPC: ['no space is left', 'Free disk space, or set a folder on another disk with --data-dir.'],
  EDQUOT: [
    'the disk quota of the user is exceeded',
    'Free disk space, raise the quota, or set another folder with --data-dir.',
  ],
  EIO: ['disk I/O error', 'Check the disk and its mount; restore damaged files from a backup.'],
  EMFILE: ['too many files are open', 'Raise the limit of open files (ulimit -n).'],
  ENFILE: ['too many files are open', 'Raise the limit of open files (ulimit -n).'],
  ENOENT: ['it does not exist', 'Check the path and its folder.'],
  ENOTDIR: ['a part of the path is not a folder', 'Check the path and --data-dir.'],
  EISDIR: ['it is a folder', 'Check the path and --data-dir.'],
  EEXIST: ['it already exists', 'Move it, or set another folder with --data-dir.'],
  ENAMETOOLONG: ['the path is too long', 'Set a folder with a shorter path with --data-dir.'],
  ELOOP: ['symbolic links form a loop', 'Check the path and --data-dir.'],
  EBUSY: ['another process uses it', 'Stop that process and retry.'],
  EFBIG: ['it would become too large', 'Raise the limit on file sizes (ulimit -f), or use another file system.'],
}

const OTHER_ADVICE = 'Check the disk, its mount and --data-dir.'

/** Describes a file system error; `undefined` if neither the error nor its cause is one. */
const describeFileFailure = (error: unknown): FileFailure | undefined => {
  const failure = findSystemError(error)
  if (failure === undefined) return undefined
  const code = isOnReadOnly(failure) ? 'EROFS' : failure.code
  const [reason, advice] = reasons[code] ?? [failure.message, OTHER_ADVICE]
  const what = failure.path === undefined ? 'a file' : failure.path
  return { message: `The system call "${failure.syscall}" failed for ${what}: ${reason} (${code}).`, advice }
}

/** Where a file system is read-only, Node.js says ENOENT of a folder that is made with those above it. */
const isOnReadOnly = ({ code, syscall, path }: SystemError): boolean => {
  if (code !== 'ENOENT' || syscall !== 'mkdir' || path === undefined) return false
  let folder = dirname(path)
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder)
  try {
    accessSync(folder, constants.W_OK)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS'
  }
}

/** Connection errors have an address; file errors have a path or, for an open file, neither. */
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

type Classified = { exitCode: number; code: string; message: string; advice: string }

const classify = (error: unknown): Classified => {
  if (error instanceof SettingsError || error instanceof UsageError) {
    return { exitCode: exitCodes.usage.code, code: error.code, message: error.message, advice: error.advice }
  }
  if (error instanceof CodedError) {
    return { exitCode: exitCodes.failed.code, code: error.code, message: error.message, advice: adviceFor(error) }
  }
  const ofFile = describeFileFailure(error)
  if (ofFile !== undefined) return { exitCode: exitCodes.failed.code, code: 'file_system', ...ofFile }
  return {
    exitCode: exitCodes.internal.code,
    code: 'internal',
    message: `Internal error: ${error instanceof Error ? error.message : String(error)}`,
    advice: 'This is a bug: please report it with the output of --verbose.',
  }
}

const adviceFor = (error: CodedError): string => {
  const { code, retryable } = error
  if (code === 'node_unavailable' || code === 'node_timeout') {
    return 'Retry, or run "chaincenter doctor" to diagnose each liteserver.'
  }
  if (code === 'call_unreachable') return 'Check that the service is running, and --url or --port.'
  if (code === 'node_refused') {
    return retryable ? 'Retry, or use another liteserver.' : 'The message is from the liteserver: check the arguments.'
  }
  if (code === 'database_unavailable' || code === 'database_refused') {
    return 'Check that the database server is running and accepts the user, and --database-url.'
  }
  if (code === 'database_worker_unavailable') {
    return 'Check that every worker of the cluster is running and can be reached from the coordinator, then retry.'
  }
  if (code === 'lease_held') {
    return 'Only one process is the leader at a time. Stop the other one first; the lease of a hanging leader expires within 10 seconds.'
  }
  if (code === 'embedded_database' || code === 'database_version' || code === 'database_schema') {
    return 'Use another database with --database-url.'
  }
  const ofFile = describeFileFailure(error)
  if (ofFile !== undefined) return ofFile.advice
  return retryable ? 'Retry.' : 'Run the command with --verbose to see the stack trace.'
}

// A message may quote a server: removes terminal control characters.
const withoutControls = (text: string): string => text.replace(/[^\P{Cc}\n\t]/gu, '\ufffd')

/** The stack traces of an error and its causes. */
const formatStacks = (error: Error): string => {
  const stack = error.stack ?? error.message
  return error.cause instanceof Error ? `${stack}\nCaused by: ${formatStacks(error.cause)}` : stack
}
