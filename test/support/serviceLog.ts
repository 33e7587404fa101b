import { createLogger, type Logger } from '../../src/observe/Logger.ts'

/** What only a busy machine causes: all parts of a service share one process, so a health check or a renewal of the lease may come late. */
const isLate = (line: string): boolean =>
  /"reason":"[^"]* did not answer within \d+ ms\."|"message":"leadership lost[^"]*"|"code":"lease_lost"/.test(line)

/** A logger that keeps warnings and errors, one JSON object a line, but for those about a machine that is busy. */
export const createFaultLogger = (lines: string[]): Logger =>
  createLogger({
    level: 'warn',
    format: 'json',
    colours: false,
    write: (line) => {
      if (!isLate(line)) lines.push(line)
    },
  })

/** For answers of services under test: longer than the product allows, since other tests run at the same time. */
export const testCallTimeoutMs = 30_000
