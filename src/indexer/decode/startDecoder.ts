import { extname } from 'node:path'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import type { DecoderStart } from './worker.ts'

/** As this file, so the worker: TypeScript in a clone, compiled in an installed package. docs/decisions/0002 */
const extension = extname(new URL(import.meta.url).pathname)
const entry = new URL(`./worker${extension}`, import.meta.url)

/** Threads do not inherit what was done at run time to make this one read TypeScript, so each does it again. */
const READ_TYPESCRIPT = `
  const { loader, entry } = require('node:worker_threads').workerData
  import(loader).then(({ register }) => { register(); return import(entry) })
`

/** Starts a thread that decodes units. */
export const startDecoder = (start: DecoderStart): Worker => {
  const options: WorkerOptions = {
    name: 'decoder',
    // Not those of the process, which may make no sense here.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 512, stackSizeMb: 16 },
  }
  if (extension !== '.ts') return new Worker(entry, { ...options, workerData: start })
  return new Worker(READ_TYPESCRIPT, {
    ...options,
    eval: true,
    workerData: { ...start, loader: import.meta.resolve('tsx/esm/api'), entry: entry.href },
  })
}
