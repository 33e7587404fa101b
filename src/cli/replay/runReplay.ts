import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { loadChain } from '../../devnet/replay/loadChain.ts'
import { ChainStore } from '../../devnet/store/ChainStore.ts'
import { createPackFiles } from '../../devnet/store/packFiles.ts'
import { formatBlockId } from '../../primitives/BlockId.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { formatLiteServer } from '../../primitives/LiteServerAddress.ts'
import type { CommandContext } from '../Command.ts'
import { openRecordedChain } from './openRecordedChain.ts'
import { serveChain } from './serveChain.ts'

const PROGRESS_MS = 2000

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
      `Try: chaincenter lite getMasterchainInfo --liteserver ${formatLiteServer(server)}`,
      'Stop it with Ctrl-C.',
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
