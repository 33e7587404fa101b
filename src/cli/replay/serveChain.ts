import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { LiteFace } from '../../devnet/face/LiteFace.ts'
import { LiteRefusal } from '../../devnet/face/LiteRefusal.ts'
import { type FaceServer, listenFace } from '../../devnet/face/listenFace.ts'
import { formatGlobalConfig } from '../../devnet/replay/formatGlobalConfig.ts'
import type { ChainStore } from '../../devnet/store/ChainStore.ts'
import { createVirtualMachine } from '../../tvm/createVirtualMachine.ts'
import type { CommandContext } from '../Command.ts'
import { loadServerKey } from '../loadServerKey.ts'

export type ServedChain = { readonly server: FaceServer; readonly globalConfigPath: string }

/** Makes a chain a listening liteserver, and writes the global configuration by which clients find it. */
export const serveChain = async (
  store: ChainStore,
  { config, workingDir, logger, shutdown }: CommandContext,
): Promise<ServedChain> => {
  const folder = resolve(workingDir, config.dataDir)
  await mkdir(folder, { recursive: true })
  const vm = await createVirtualMachine({ logger })
  shutdown.add('virtual machine', () => vm.close())
  const face = new LiteFace(
    {
      store,
      vm,
      now: () => Math.floor(Date.now() / 1000),
      sendMessage: () =>
        Promise.reject(
          new LiteRefusal(0, 'cannot send external message : this chain is a recording, it takes no messages'),
        ),
    },
    { logger },
  )
  const key = await loadServerKey(folder)
  const server = await listenFace({ face, key, logger, host: config.liteserverHost, port: config.liteserverPort })
  shutdown.add('liteserver', () => server.close())
  const globalConfigPath = join(folder, 'global.config.json')
  await writeFile(globalConfigPath, formatGlobalConfig(server, store.zeroState))
  return { server, globalConfigPath }
}
