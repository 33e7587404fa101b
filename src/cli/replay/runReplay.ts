import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { LiteserverError } from '../../devnet/liteserver/LiteFunction.ts'
import { Liteserver } from '../../devnet/liteserver/Liteserver.ts'
import { type LiteserverListener, listenLiteserver } from '../../devnet/liteserver/listenLiteserver.ts'
import { formatGlobalConfig } from '../../devnet/replay/formatGlobalConfig.ts'
import { loadChain } from '../../devnet/replay/loadChain.ts'
import { ChainStore } from '../../devnet/store/ChainStore.ts'
import { createPackFiles } from '../../devnet/store/packFiles.ts'
import { formatBlockId } from '../../primitives/BlockId.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { formatLiteServer } from '../../primitives/LiteServerAddress.ts'
import { createVirtualMachine } from '../../tvm/createVirtualMachine.ts'
import type { CommandContext } from '../Command.ts'
import { loadServerKey } from '../secrets.ts'
import { reserveLiteserverPort } from '../start/prepareNetwork.ts'
import { openRecordedChain } from './openRecordedChain.ts'

/** Reads a recorded chain and serves it until the process is told to stop. */
export const runReplay = async (context: CommandContext, folders: readonly string[]): Promise<void> => {
  const { config, workingDir, logger, shutdown, show } = context
  const start = performance.now()
  const recorded = await openRecordedChain(
    folders.map((folder) => resolve(workingDir, folder)),
    logger,
    shutdown.signal,
  )
  const stopClosing = shutdown.add('recorded files', () => recorded.close())
  // What an earlier replay left may be of another chain, and is quickly made again.
  const packages = join(resolve(workingDir, config.dataDir), 'replay')
  await rm(packages, { recursive: true, force: true })
  const files = createPackFiles(packages)
  shutdown.add('packages', () => files.close())
  const store = new ChainStore(recorded.zeroStates, files, { keep: config.keepStates ?? 0 })
  let told = performance.now()
  await loadChain(store, recorded.chain, {
    signal: shutdown.signal,
    onProgress: (masterchainSeqno, blocks) => {
      if (performance.now() - told < PROGRESS_MS) return
      told = performance.now()
      logger.info('replaying', { masterchainSeqno, blocks })
    },
  })
  stopClosing()
  await recorded.close()
  const { server, globalConfigPath } = await serveChain(store, context)
  const seconds = (performance.now() - start) / 1000
  const head = store.head === undefined ? 'the zerostate' : formatBlockId(store.head.id)
  show({
    text: [
      `A liteserver answers for ${store.index.count} blocks up to ${head}, ready after ${seconds.toFixed(1)} s.`,
      `  address        ${formatLiteServer(server)}`,
      `  global config  ${globalConfigPath}`,
      '',
      `Try: ${context.program} lite getMasterchainInfo --liteserver ${formatLiteServer(server)}`,
      'Press Ctrl-C to stop.',
    ].join('\n'),
    value: {
      liteserver: { host: server.host, port: server.port, key: toBase64(server.publicKey) },
      globalConfig: globalConfigPath,
      blocks: store.index.count,
      masterchainSeqno: store.head?.id.seqno ?? 0,
    },
  })
  await new Promise<void>((done) => shutdown.signal.addEventListener('abort', () => done(), { once: true }))
}

export type ServedChain = { readonly server: LiteserverListener; readonly globalConfigPath: string }

/** Makes a chain a listening liteserver, and writes the global configuration by which clients find it. */
const serveChain = async (
  store: ChainStore,
  { config, workingDir, logger, shutdown }: CommandContext,
): Promise<ServedChain> => {
  const folder = resolve(workingDir, config.dataDir)
  await mkdir(folder, { recursive: true })
  const vm = await createVirtualMachine({ logger })
  shutdown.add('virtual machine', () => vm.close())
  const liteserver = new Liteserver(
    {
      store,
      vm,
      now: () => Math.floor(Date.now() / 1000),
      sendMessage: () =>
        Promise.reject(
          new LiteserverError(0, 'cannot send external message : this chain is a recording, it takes no messages'),
        ),
    },
    { logger },
  )
  const key = await loadServerKey(folder)
  const reserved = await reserveLiteserverPort(config)
  shutdown.add('liteserver port', reserved.release)
  const server = await listenLiteserver({ ...reserved, liteserver, key, logger })
  shutdown.add('liteserver', () => server.close())
  const globalConfigPath = join(folder, 'global.config.json')
  await writeFile(globalConfigPath, formatGlobalConfig(server, store.zeroState))
  return { server, globalConfigPath }
}

const PROGRESS_MS = 2000
