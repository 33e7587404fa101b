import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { childArguments, childScript } from './childScript.ts'
import type { Beside } from './indexLag.ts'
import { startV3Server } from './v3Load/startV3Server.ts'

const start = async (script: string, argument: string): Promise<ChildProcess> => {
  const child = fork(childScript(import.meta.dirname, script), [argument], { execArgv: [...childArguments] })
  await once(child, 'message')
  return child
}

const end = async (child: ChildProcess): Promise<void> => {
  const ended = once(child, 'exit')
  child.disconnect()
  await ended
}

/** A v3 server over the same database that answers 200 requests a second. */
export const besideRequests: Beside = async (databaseUrl) => {
  const server = await startV3Server(databaseUrl)
  const child = await start('v3RequestsChild', server.ready.url)
  return async () => {
    child.send('end')
    const [{ perSecond, failed, worstP99Ms }] = await once(child, 'message')
    await end(child)
    await server.close()
    return { 'v3 requests per s': Math.round(perSecond), failed, 'v3 worst p99': Math.round(worstP99Ms) }
  }
}

/** A process that writes 50 MB a second to the disk of a folder, and syncs it. */
export const besideDiskWriter =
  (folder: string): Beside =>
  async () => {
    const child = await start('diskWriterChild', folder)
    let bytesPerSecond = 0
    child.on('message', (message: { readonly bytesPerSecond: number }) => {
      bytesPerSecond = message.bytesPerSecond
    })
    return async () => {
      await end(child)
      return { 'written MB per s': Math.round(bytesPerSecond / 1e6) }
    }
  }
