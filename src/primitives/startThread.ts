import { extname } from 'node:path'
import { type ResourceLimits, Worker } from 'node:worker_threads'

/** As this file, so the entry: TypeScript in a clone, compiled in an installed package. docs/decisions/0002 */
const extension = extname(new URL(import.meta.url).pathname)

/** Threads do not inherit the TypeScript loader that was registered at run time, so each registers it again. */
const READ_TYPESCRIPT = `
  const { loader, entry } = require('node:worker_threads').workerData
  import(loader).then(({ register }) => { register(); return import(entry) })
`

export type ThreadStart = {
  readonly name: string
  /** The module to run, without its extension: `new URL('./thread', import.meta.url)`. */
  readonly entry: URL
  readonly workerData: object
  readonly resourceLimits: ResourceLimits
}

/** Starts a worker thread from a module of ours. */
export const startThread = ({ name, entry, workerData, resourceLimits }: ThreadStart): Worker => {
  // No execArgv of the process: its flags may make no sense in a thread.
  const options = { name, execArgv: [], resourceLimits }
  const module = `${entry.href}${extension}`
  if (extension !== '.ts') return new Worker(new URL(module), { ...options, workerData })
  return new Worker(READ_TYPESCRIPT, {
    ...options,
    eval: true,
    workerData: { ...workerData, loader: import.meta.resolve('tsx/esm/api'), entry: module },
  })
}
