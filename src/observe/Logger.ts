/** Named values of a log line. The three names a line already has are taken. */
export type LogFields = Readonly<Record<string, unknown>> & { time?: never; level?: never; message?: never }

/** Messages are short and lower-case ("block indexed"); what varies is in the fields. */
export interface Logger {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** A logger that adds these fields to every line. */
  child(fields: LogFields): Logger
}

export type LoggerOptions = {
  readonly level: LogLevel | 'silent'
  readonly format: 'json' | 'pretty'
  readonly colours: boolean
  readonly write: (line: string) => void
  /** While true, only warnings and errors are written. */
  readonly isQuiet?: () => boolean
  readonly now?: () => Date
}

export const createLogger = (options: LoggerOptions): Logger => createChild(options, {})

const logLevels = ['debug', 'info', 'warn', 'error'] as const
type LogLevel = (typeof logLevels)[number]
const QUIET_LEVEL = logLevels.indexOf('warn')

type LogLine = {
  readonly time: Date
  readonly level: LogLevel
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}

/**
 * A value as JSON can carry it: bigints as decimal text, bytes as hex, errors with code, stack and cause. A log line must
 * not fail, so what cannot be shown (a cycle, a getter that throws) is said to be so.
 */
export const toLogValue = (value: unknown): unknown => {
  try {
    return toPlain(value, 0)
  } catch {
    return '[not shown: reading the value failed]'
  }
}

const MAX_DEPTH = 6
const MAX_ITEMS = 100
const MAX_BYTES = 64

const toPlain = (value: unknown, depth: number): unknown => {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'function' || typeof value === 'symbol') return String(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) return '[not shown: too deep]'
  if (value instanceof Uint8Array) return formatBytes(value)
  if (value instanceof Error) return toPlainError(value, depth)
  if ('toJSON' in value && typeof value.toJSON === 'function') return toPlain(value.toJSON(), depth + 1)
  if (Array.isArray(value)) {
    const shown = value.slice(0, MAX_ITEMS).map((item) => toPlain(item, depth + 1))
    return value.length > MAX_ITEMS ? [...shown, `… (${value.length} items)`] : shown
  }
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MAX_ITEMS)
      .map(([key, item]) => [key, toPlain(item, depth + 1)]),
  )
}

const formatBytes = (bytes: Uint8Array): string => {
  const shown = Array.from(bytes.subarray(0, MAX_BYTES), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return bytes.length > MAX_BYTES ? `${shown}… (${bytes.length} bytes)` : shown
}

const toPlainError = (error: Error, depth: number): unknown => ({
  ...('code' in error && { code: error.code }),
  message: error.message,
  stack: error.stack,
  ...(error.cause !== undefined && { cause: toPlain(error.cause, depth + 1) }),
})

/** A log line as one JSON object: time, level and message first, then the fields. */
const formatJsonLine = ({ time, level, message, fields }: LogLine): string =>
  JSON.stringify({ time: time.toISOString(), level, message, ...(toLogValue(fields) as object) })

/** A log line for a person: `12:30:01.250 info  block indexed seqno=5`. An error's stack follows on lines of its own. */
const formatPrettyLine = ({ time, level, message, fields }: LogLine, colours: boolean): string => {
  const paint = (style: number, text: string): string => (colours ? `\u001b[${style}m${text}\u001b[0m` : text)
  const stacks: string[] = []
  const shown = Object.entries(fields).flatMap(([name, value]) => {
    if (value === undefined) return []
    if (value instanceof Error && value.stack !== undefined) stacks.push(value.stack)
    return [`${paint(DIM, `${name}=`)}${formatValue(value)}`]
  })
  const clock = time.toISOString().slice(11, 23)
  const head = [paint(DIM, clock), paint(styles[level], level.padEnd(5)), message, ...shown].join(' ')
  return [head, ...stacks].join('\n')
}

// Numbers of the terminal's own styles: faint, then cyan, yellow and red.
const DIM = 2
const styles: Readonly<Record<LogLevel, number>> = { debug: DIM, info: 36, warn: 33, error: 31 }

const formatValue = (value: unknown): string => {
  const plain = value instanceof Error ? value.message : toLogValue(value)
  return typeof plain === 'string' && /^[^\s"=]+$/.test(plain) ? plain : JSON.stringify(plain)
}

const createChild = (options: LoggerOptions, inherited: LogFields): Logger => {
  const { level: threshold, format, colours, write, isQuiet = () => false, now = () => new Date() } = options
  const lowest = threshold === 'silent' ? logLevels.length : logLevels.indexOf(threshold)
  const log =
    (level: LogLevel) =>
    (message: string, fields?: LogFields): void => {
      if (logLevels.indexOf(level) < (isQuiet() ? Math.max(lowest, QUIET_LEVEL) : lowest)) return
      const line: LogLine = { time: now(), level, message, fields: { ...inherited, ...fields } }
      write(`${format === 'json' ? formatJsonLine(line) : formatPrettyLine(line, colours)}\n`)
    }
  return {
    debug: log('debug'),
    info: log('info'),
    warn: log('warn'),
    error: log('error'),
    child: (fields) => createChild(options, { ...inherited, ...fields }),
  }
}
