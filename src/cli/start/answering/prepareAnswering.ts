import type { CommandContext } from '../../Command.ts'
import type { ServeSplit } from '../../dev/startNetwork.ts'
import type { ReservedPort } from '../ReservedPort.ts'
import { startAnswering } from './startAnswering.ts'

type Location = {
  readonly folder: string | undefined
  readonly http: ReservedPort
  readonly controlsToken: string | undefined
}

/** Starts the process that answers HTTP, which loads while the network starts. Returns how to serve the network from it. */
export const prepareAnswering = (context: CommandContext, { folder, http, controlsToken }: Location): ServeSplit => {
  const { workingDir, version, commandLine } = context
  const { answering, closeLater } = startAnswering(context, http)
  const loading = import('./serveSplit.ts')
  return async (parts) => {
    // A fork fetches accounts while it answers, which only this process can.
    if (parts.network.liteserver.fork !== undefined) {
      await answering.close()
      return undefined
    }
    const { serveSplit } = await loading
    const start = { ...commandLine, workingDir, version, folder, controlsToken, port: http.port, front: http.front }
    return serveSplit({ answering, closeLater }, start, parts)
  }
}
