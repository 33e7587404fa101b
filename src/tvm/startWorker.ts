import { extname } from 'node:path'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/** As this file, so the worker: TypeScript in a clone, compiled in an installed package. docs/decisions/0002 */
const extension = extname(new URL(import.meta.url).pathname)

/** Threads do not inherit what was done at run time to make this one read TypeScript, so each does it again. */
const READ_TYPESCRIPT = `
  const { loader, entry } = require('node:worker_threads').workerData
  import(loader).then(({ register }) => { register(); return import(entry) })
`

/** Starts a thread with one of the modules beside this one, named without its extension. Its output is kept from the terminal. */
export const startThread = (module: string, start: object, resourceLimits: WorkerOptions['resourceLimits']): Worker => {
  const entry = new URL(`${module}${extension}`, import.meta.url)
  const options: WorkerOptions = {
    name: 'tvm',
    // Not those of the process, which may make no sense here.
    execArgv: [],
    stdout: true,
    stderr: true,
    ...(resourceLimits === undefined ? {} : { resourceLimits }),
  }
  if (extension !== '.ts') return new Worker(entry, { ...options, workerData: start })
  return new Worker(READ_TYPESCRIPT, {
    ...options,
    eval: true,
    workerData: { ...start, loader: import.meta.resolve('tsx/esm/api'), entry: entry.href },
  })
}

/** A thread for long runs. A run that takes more memory than this breaks down alone. */
export const startMachineThread = (): Worker =>
  startThread('./machineThread', {}, { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32, stackSizeMb: 16 })
