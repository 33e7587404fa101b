import type { Config } from '../../config/settings.ts'
import { collectWhenIdle } from '../../observe/collectWhenIdle.ts'
import { type LogFields, type Logger, toLogValue } from '../../observe/Logger.ts'
import type { Shutdown } from '../../observe/Shutdown.ts'
import { ProcessChannel } from '../serve/workers/WorkerLink.ts'
import { LOG_TOPIC, type LogMessage } from './startChild.ts'

/** The link of a process that `startChild` started to its parent. */
export type ParentLink = {
  readonly channel: ProcessChannel
  /** Log lines go through the parent, which knows their format. */
  readonly logger: Logger
  setLogLevel(level: Config['logLevel']): void
}

const LEVELS = ['debug', 'info', 'warn', 'error'] as const

export const openParentLink = (): ParentLink => {
  collectWhenIdle()
  const channel = new ProcessChannel({
    send: (message) => process.connected && process.send!(message, undefined, undefined, () => undefined),
    onMessage: (listener) => void process.on('message', listener),
  })
  let lowest: Config['logLevel'] = 'warn'
  const createLogger = (own: LogFields): Logger => {
    const say =
      (level: LogMessage['level']) =>
      (message: string, fields: LogFields = {}): void => {
        if (lowest === 'silent' || LEVELS.indexOf(level) < LEVELS.indexOf(lowest)) return
        channel.notify(LOG_TOPIC, { level, message, fields: toLogValue({ ...own, ...fields }) })
      }
    const child = (fields: LogFields): Logger => createLogger({ ...own, ...fields })
    return { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error'), child }
  }
  return {
    channel,
    logger: createLogger({}),
    setLogLevel: (level) => {
      lowest = level
    },
  }
}

/** Has the process end with its parent. A terminal sends signals to all its processes; the parent lets this one drain. */
export const endWithParent = (shutdown: Shutdown, orphanMs: number): void => {
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => undefined)
  process.on('disconnect', () => {
    setTimeout(() => process.exit(0), orphanMs)
    void shutdown.close('the parent process ended').then(() => process.exit(0))
  })
}
