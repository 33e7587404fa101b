import { parentPort, workerData } from 'node:worker_threads'
import { lowerPriority, openThreadClock } from '../../observe/threads.ts'
import { LruCache } from '../../primitives/LruCache.ts'
import { type FromWorker, KEPT_CONFIGS, type ThreadTime, type VmAnswer, type VmJob } from '../messages.ts'
import { Emulator } from './Emulator.ts'
import { EmulatorConfig } from './EmulatorConfig.ts'
import type { EmulatorFiles } from './emulatorFiles.ts'
import { runMethod } from './methodInThread.ts'
import { runTransaction } from './transactionInThread.ts'

const emulator = await Emulator.open(workerData as EmulatorFiles)
const clock = openThreadClock()
lowerPriority()
const configs = new LruCache<EmulatorConfig>(KEPT_CONFIGS, (config) => config.close())

const openConfig = ({ configKey, config }: VmJob): EmulatorConfig => {
  const held = configs.find(configKey)
  if (held !== undefined) return held
  if (config === undefined) throw new Error(`Configuration ${configKey} should be here and is not.`)
  const opened = new EmulatorConfig(emulator, config)
  configs.set(configKey, opened)
  return opened
}

const run = (job: VmJob): VmAnswer => {
  const config = openConfig(job)
  return job.kind === 'method' ? runMethod(emulator, config, job) : runTransaction(emulator, config, job)
}

/** Buffers of an answer that change hands instead of being copied. */
const listBuffers = (answer: VmAnswer): ArrayBufferLike[] => {
  switch (answer.kind) {
    case 'method':
      return [answer.stack.buffer]
    case 'executed':
      return [answer.transaction.buffer, answer.account.buffer]
    case 'notAccepted':
    case 'refused':
      return []
  }
}

const send = (message: FromWorker, buffers: readonly ArrayBufferLike[] = []): void =>
  parentPort!.postMessage(message, buffers as ArrayBuffer[])

const readClock = (): ThreadTime | undefined => clock && { thread: clock.thread, cpuMs: clock.readMs() }

parentPort!.on('message', (job: VmJob) => {
  try {
    const answer = run(job)
    send({ kind: 'answer', answer, memoryBytes: emulator.memoryBytes, clock: readClock() }, listBuffers(answer))
  } catch (error) {
    // A trap, an exception of the emulator or a lack of memory: nothing of it can be trusted any longer.
    parentPort!.removeAllListeners('message')
    send({ kind: 'crashed', reason: error instanceof Error ? error.message : 'the emulator threw an exception' })
  }
})

send({ kind: 'ready', commit: emulator.readCommit(), clock: readClock() })
