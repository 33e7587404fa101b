import { fork } from 'node:child_process'
import { once } from 'node:events'
import { childArguments, childScript } from './childScript.ts'
import type { RawCopy } from './copyRaw.ts'

/** The database to copy, and the server for the copy. */
export type CopyJob = { readonly url: string; readonly serverUrl: string }

export type RawCopier = { copy(job: CopyJob): Promise<RawCopy>; close(): Promise<void> }

/** Copies raw rows in a process of its own, which takes some hundred megabytes for them: see copyRaw. */
export const startRawCopier = (): RawCopier => {
  const child = fork(childScript(import.meta.dirname, 'rawCopyChild'), { execArgv: [...childArguments] })
  const ended = once(child, 'exit')
  const failed = ended.then(([code]) => Promise.reject(new Error(`The copying process ended with exit code ${code}.`)))
  failed.catch(() => undefined)
  return {
    copy: async (job) => {
      child.send(job)
      const [copied] = (await Promise.race([once(child, 'message'), failed])) as [RawCopy]
      return copied
    },
    close: async () => {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}
