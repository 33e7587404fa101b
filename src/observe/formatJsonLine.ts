import type { LogLine } from './LogLine.ts'
import { toLogValue } from './toLogValue.ts'

/** A log line as one JSON object: time, level and message first, then the fields. */
export const formatJsonLine = ({ time, level, message, fields }: LogLine): string =>
  JSON.stringify({ time: time.toISOString(), level, message, ...(toLogValue(fields) as object) })
