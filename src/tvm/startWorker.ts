import { extname } from 'node:path'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import type { WorkerStart } from './worker/worker.ts'

/** As this file, so the worker: TypeScript in a clone, compiled in an installed package. docs/decisions/0002 */
const extension = extname(new URL(import.meta.url).pathname)
const entry = new URL(`./worker/worker${extension}`, import.meta.url)

/** Threads do not inherit what was done at run time to make this one read TypeScript, so each does it again. */
const READ_TYPESCRIPT = `
  const { loader, entry } = require('node:worker_threads').workerData
  import(loader).then(({ register }) => { register(); return import(entry) })
`

/** Starts a thread that holds an emulator. Its output is kept from the terminal; the emulator writes there when it dies. */
export const startWorker = (start: WorkerStart): Worker => {
  const options: WorkerOptions = {
    name: 'tvm',
    // Not those of the process, which may make no sense here.
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 512, stackSizeMb: 64 },
  }
  if (extension !== '.ts') return new Worker(entry, { ...options, workerData: start })
  return new Worker(READ_TYPESCRIPT, {
    ...options,
    eval: true,
    workerData: { ...start, loader: import.meta.resolve('tsx/esm/api'), entry: entry.href },
  })
}
