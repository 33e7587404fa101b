import type { LogLevel, LogLine } from './LogLine.ts'
import { toLogValue } from './toLogValue.ts'

/** A log line for a person: `12:30:01.250 info  block indexed seqno=5`. An error's stack follows on lines of its own. */
export const formatPrettyLine = ({ time, level, message, fields }: LogLine, colours: boolean): string => {
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
