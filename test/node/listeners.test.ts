import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { withTimeout } from '../../src/indexer/sources/withRetries.ts'
import { ProvenNode } from '../../src/node/ProvenNode.ts'
import { NodePool } from '../../src/node/pool/NodePool.ts'
import { TrustedChain } from '../../src/node/TrustedChain.ts'
import { createLogger } from '../../src/observe/Logger.ts'
import { createShutdown } from '../../src/observe/Shutdown.ts'
import { listenForTest } from '../support/listenStore.ts'
import { createOwnChain } from '../support/OwnChain.ts'

const BLOCKS = 20
const ROUNDS = 5

test('many waits on one signal are one listener, and leave none behind', { timeout: 120_000 }, async (t) => {
  const warnings: Error[] = []
  const onWarning = (warning: Error): void => void warnings.push(warning)
  process.on('warning', onWarning)
  t.after(() => process.off('warning', onWarning))
  const logger = createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined })
  const chain = await createOwnChain()
  t.after(() => chain.close())
  for (let k = 0; k < BLOCKS; k++) await chain.make()
  const servers = [await listenForTest(t, chain.store)]
  const pool = new NodePool(servers, { logger })
  t.after(() => pool.close())
  await pool.start()
  const trust = new TrustedChain(pool, { mode: 'full', anchor: chain.store.zeroState, logger })
  const node = new ProvenNode(pool, trust, { cacheBytes: 0 })
  const { signal } = createShutdown({ logger, timeoutMs: 1000 })
  const count = (): number => getEventListeners(signal, 'abort').length
  let most = 0
  for (let round = 0; round < ROUNDS; round++) {
    const reading = Array.from({ length: 10 * BLOCKS }, (_, k) =>
      withTimeout('a block', 60_000, signal, async () => {
        most = Math.max(most, count())
        const id = await node.getMasterchainBlockId(1 + (k % BLOCKS), signal)
        most = Math.max(most, count())
        return node.getRawBlock(id, signal)
      }),
    )
    await Promise.all(reading)
    // Whoever waits goes in the moment after that in which he is answered.
    await new Promise((done) => setImmediate(done))
    assert.equal(count(), 0)
  }
  assert.equal(most, 1)
  assert.deepEqual(warnings, [])
})
