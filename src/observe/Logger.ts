import { formatJsonLine } from './formatJsonLine.ts'
import { formatPrettyLine } from './formatPrettyLine.ts'
import { type LogLevel, type LogLine, logLevels } from './LogLine.ts'

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
  readonly now?: () => Date
}

export const createLogger = (options: LoggerOptions): Logger => createChild(options, {})

const createChild = (options: LoggerOptions, inherited: LogFields): Logger => {
  const { level: threshold, format, colours, write, now = () => new Date() } = options
  const lowest = threshold === 'silent' ? logLevels.length : logLevels.indexOf(threshold)
  const log =
    (level: LogLevel) =>
    (message: string, fields?: LogFields): void => {
      if (logLevels.indexOf(level) < lowest) return
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
