import { resolve } from 'node:path'
import { createHttpServer } from '../../api/core/createHttpServer.ts'
import { TrustStore } from '../../node/TrustStore.ts'
import { createVirtualMachine } from '../../tvm/createVirtualMachine.ts'
import type { CommandContext } from '../Command.ts'
import { readNetwork } from '../compose.ts'
import { NetworkSettingsError } from '../errors.ts'
import { openNode } from './openNode.ts'
import { openV2 } from './openV2.ts'

/** Serves the interfaces over the network of the settings, until the process is told to stop. */
export const runService = async (context: CommandContext): Promise<void> => {
  const { config, logger, shutdown, show, workingDir } = context
  const { servers, origin } = await readNetwork(context)
  if (origin === undefined) {
    throw new NetworkSettingsError('Without the global configuration of the network nothing can be checked.')
  }
  const { zeroState, anchor } = origin
  const { proofs, queryTimeout: queryTimeoutMs, dialect, host, port } = config
  const store = new TrustStore(resolve(workingDir, config.dataDir), zeroState, logger)
  const node = await openNode({ servers, zeroState, anchor, proofs, queryTimeoutMs, store, logger }, shutdown)
  const vm = await createVirtualMachine({ logger })
  shutdown.add('virtual machine', () => vm.close())
  const { mounts } = openV2({ node, vm, dialect })
  const server = await createHttpServer({ mounts, logger, host, port })
  shutdown.add('http server', () => server.close())
  if (shutdown.signal.aborted) return
  const text = ['The service runs.', '', `  live (v2)      ${server.url}/api/v2`, 'Stop it with Ctrl-C.'].join('\n')
  show({ text, value: { url: server.url, v2: `${server.url}/api/v2`, v2Ton: `${server.url}/ton/api/v2` } })
  await new Promise<void>((done) => shutdown.signal.addEventListener('abort', () => done(), { once: true }))
}
