import type { ChildProcess } from 'node:child_process'
import type { LogFields, Logger } from '../../observe/Logger.ts'
import { startProcess } from '../../observe/threads.ts'
import { ProcessChannel } from '../serve/workers/WorkerLink.ts'

/** From a child to its parent: a log line. */
export const LOG_TOPIC = 'log'

export type LogMessage = { readonly level: keyof Logger & ('debug' | 'info' | 'warn' | 'error') } & {
  readonly message: string
  readonly fields: LogFields
}

/** What is wrong with the settings, and what to do. */
export type Refusal = { readonly refusal: string; readonly advice: string }

export type StartedChild = {
  readonly child: ChildProcess
  readonly channel: ProcessChannel
  /** Resolves with the reason when the process has ended. */
  readonly exited: Promise<string>
}

/** Of what a process printed before it failed. */
const LAST_WORDS = 2000
const LAST_WORDS_MS = 20

/** Starts a process from a module of ours, without its extension. Its log lines go to the logger. */
export const startChild = (entry: URL, logger: Logger): StartedChild => {
  const flags = process.execArgv.filter((flag) => flag.startsWith('--max-'))
  const child = startProcess({ entry, flags, isNice: false })
  let lastWords = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-LAST_WORDS)
  })
  // A message fails if the process has just ended, which its exit reports.
  child.on('error', () => undefined)
  const channel = new ProcessChannel({
    send: (message) => child.connected && child.send(message as object, () => undefined),
    onMessage: (listener) => void child.on('message', listener),
  })
  channel.handle(LOG_TOPIC, (content) => {
    const { level, message, fields } = content as LogMessage
    logger[level](message, fields)
  })
  const exited = new Promise<string>((done) => {
    // Not `close`, which does not come once the channel was closed from here. What it printed last may still be on its way.
    child.once('exit', (code, signal) =>
      setTimeout(() => done(`exit ${signal ?? code}. ${lastWords}`.trim()), LAST_WORDS_MS),
    )
    child.once('error', (error) => child.pid === undefined && done(error.message))
  })
  return { child, channel, exited }
}

const EXIT_MS = 2000

/** Asks a child to close, by a topic to which it responds when everything is closed, and ends it. */
export const endChild = async (
  { child, channel, exited }: StartedChild,
  topic: string,
  closeTimeoutMs: number,
): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const force = setTimeout(() => child.kill('SIGKILL'), closeTimeoutMs + EXIT_MS)
  await Promise.race([channel.request(topic, undefined, closeTimeoutMs), exited]).catch(() => undefined)
  if (child.connected) child.disconnect()
  await exited
  clearTimeout(force)
}
