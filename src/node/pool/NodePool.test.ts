import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { decodeLiteQuery } from '../../../test/support/decodeLiteQuery.ts'
import { listenLite, type TestLiteServer } from '../../../test/support/listenLite.ts'
import { NodeRefusedError, NodeUnavailableError, ProofFailedError } from '../../chain/errors.ts'
import { encodeTlObject } from '../../codec/tl/tlObject.ts'
import { createLogger } from '../../observe/Logger.ts'
import { wholeShard } from '../../primitives/shard.ts'
import { NodePool, type NodePoolOptions } from './NodePool.ts'

const hash = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
const closers: (() => Promise<void>)[] = []
after(async () => {
  for (const close of closers.reverse()) await close()
})

type Behaviour = {
  seqno: number
  zeroState: Uint8Array
  isArchival: boolean
  delayMs: number
  /** What getTime answers: the number, an error code, or nothing. */
  time: number | { code: number } | undefined
  asked: number
}

const serve = async (changes: Partial<Behaviour> = {}): Promise<TestLiteServer & { behaviour: Behaviour }> => {
  const behaviour: Behaviour = {
    seqno: 100,
    zeroState: hash(1),
    isArchival: false,
    delayMs: 0,
    time: 1,
    asked: 0,
    ...changes,
  }
  const server = await listenLite(async (data) => {
    const { kind } = decodeLiteQuery(data).call
    const last = { workchain: -1, shard: wholeShard, seqno: behaviour.seqno, rootHash: hash(2), fileHash: hash(3) }
    const init = { workchain: -1, rootHash: behaviour.zeroState, fileHash: hash(4) }
    if (kind === 'liteServer.getMasterchainInfoExt') {
      const times = { lastUtime: 1000, now: 1007 }
      return encodeTlObject({
        kind: 'liteServer.masterchainInfoExt',
        mode: 0,
        version: 257,
        capabilities: 15n,
        last,
        ...times,
        stateRootHash: hash(5),
        init,
      })
    }
    if (kind === 'liteServer.lookupBlock') {
      return behaviour.isArchival
        ? encodeTlObject({ kind: 'liteServer.blockHeader', id: last, mode: 0, headerProof: new Uint8Array(0) })
        : encodeTlObject({ kind: 'liteServer.error', code: 651, message: 'not in db' })
    }
    if (kind === 'liteServer.sendMessage') {
      behaviour.asked++
      return behaviour.time === 1
        ? encodeTlObject({ kind: 'liteServer.sendMsgStatus', status: 1 })
        : encodeTlObject({ kind: 'liteServer.error', code: -701, message: 'not accepted' })
    }
    behaviour.asked++
    await delay(behaviour.delayMs)
    const { time } = behaviour
    if (time === undefined) return undefined
    return typeof time === 'number'
      ? encodeTlObject({ kind: 'liteServer.currentTime', now: time })
      : encodeTlObject({ kind: 'liteServer.error', code: time.code, message: 'no' })
  })
  closers.push(() => server.close())
  return { ...server, behaviour }
}

const startPool = async (servers: readonly TestLiteServer[], options: Partial<NodePoolOptions> = {}) => {
  const lines: string[] = []
  const logger = createLogger({ level: 'info', format: 'json', colours: false, write: (line) => void lines.push(line) })
  const pool = new NodePool(servers, {
    logger,
    healthMs: 20,
    timeoutMs: 2000,
    backoff: { firstMs: 10, maxMs: 20 },
    ...options,
  })
  closers.push(() => pool.close())
  await pool.start()
  return { pool, lines }
}

const getTime = (pool: NodePool, options = {}): Promise<number> =>
  pool.run(async (session) => (await session.query('liteServer.getTime', {})).now, options)

const until = async (condition: () => boolean): Promise<void> => {
  for (let tries = 0; tries < 2000 && !condition(); tries++) await delay(5)
  assert.ok(condition(), 'the awaited condition did not come true in time')
}

describe('NodePool', () => {
  it('measures every server and says what it found', async () => {
    const servers = [await serve(), await serve({ seqno: 99, isArchival: true }), await serve({ seqno: 90 })]
    const { pool } = await startPool(servers)
    assert.deepEqual(
      pool.status.map(({ condition, seqno, lagSeconds, archival }) => ({ condition, seqno, lagSeconds, archival })),
      [
        { condition: 'alive', seqno: 100, lagSeconds: 7, archival: false },
        { condition: 'alive', seqno: 99, lagSeconds: 7, archival: true },
        { condition: 'behind', seqno: 90, lagSeconds: 7, archival: false },
      ],
    )
    assert.equal(pool.bestSeqno, 100)
    assert.equal(pool.consensusSeqno, 99)
    assert.match(pool.status[2]?.reason ?? '', /10 masterchain blocks behind/)
  })

  it('never asks a server of another network', async () => {
    const { pool, lines } = await startPool([await serve({ zeroState: hash(9) })], { zeroStateRootHash: hash(1) })
    assert.equal(pool.status[0]?.condition, 'foreign')
    await assert.rejects(getTime(pool), NodeUnavailableError)
    await delay(60)
    assert.equal(lines.length, 1)
  })

  it('logs once for each change of state', async () => {
    const server = await serve()
    const { pool, lines } = await startPool([server])
    await delay(100)
    assert.equal(lines.length, 1)
    server.behaviour.seqno = 101
    await server.close()
    await until(() => pool.status[0]?.condition === 'dead')
    await delay(100)
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).message),
      ['liteserver in sync', 'liteserver unreachable'],
    )
  })

  it('moves work to another server when one fails, and fails only when all do', async () => {
    const [bad, good] = [await serve({ time: { code: 651 } }), await serve({ time: 7 })]
    const { pool } = await startPool([bad, good])
    for (let k = 0; k < 20; k++) assert.equal(await getTime(pool), 7)
    good.behaviour.time = { code: 652 }
    await assert.rejects(getTime(pool), NodeRefusedError)
  })

  it('asks for one second opinion on a definite refusal, from an archive if there is one', async () => {
    const refusing = [await serve({ time: { code: -400 } }), await serve({ time: { code: -400 } })]
    const archive = await serve({ time: 5, isArchival: true })
    const { pool } = await startPool([...refusing, archive])
    // On a busy machine a hedged request would be one more.
    for (let k = 0; k < 10; k++) assert.equal(await getTime(pool, { hedge: false }), 5)
    for (const { behaviour } of refusing) behaviour.asked = 0
    archive.behaviour.time = { code: -400 }
    await assert.rejects(
      getTime(pool, { archival: 'never', hedge: false }),
      (error: NodeRefusedError) => error.serverCode === -400,
    )
    assert.equal(
      refusing.reduce((sum, { behaviour }) => sum + behaviour.asked, 0),
      1,
    )
    await assert.rejects(getTime(pool, { archival: 'only' }), NodeRefusedError)
    archive.behaviour.time = 6
    assert.equal(await getTime(pool, { archival: 'only' }), 6)
  })

  it('starts a rival beside a slow server and takes the first answer', async () => {
    const [slow, quick] = [await serve({ time: 1 }), await serve({ time: 1 })]
    const { pool } = await startPool([slow, quick])
    for (let k = 0; k < 40; k++) await getTime(pool)
    slow.behaviour.delayMs = 8000
    slow.behaviour.asked = 0
    const start = performance.now()
    for (let k = 0; k < 10; k++) await getTime(pool)
    assert.ok(slow.behaviour.asked > 0, 'the slow server was asked too')
    assert.ok(performance.now() - start < 6000, 'nobody waited for the slow server')
  })

  it('puts a server aside whose proof fails, names it, and goes on with the others', async () => {
    const [liar, honest] = [await serve({ time: 666 }), await serve({ time: 7 })]
    const { pool, lines } = await startPool([liar, honest])
    const work = (): Promise<number> =>
      pool.run(
        async (session) => {
          const { now } = await session.query('liteServer.getTime', {})
          if (now === 666) throw new ProofFailedError('The time is not proven.')
          return now
        },
        { hedge: false },
      )
    for (let k = 0; k < 20; k++) assert.equal(await work(), 7)
    assert.equal(pool.status[0]?.condition, 'aside')
    assert.equal(liar.behaviour.asked, 1)
    const line = JSON.parse(lines.at(-1) ?? '{}')
    assert.equal(line.message, 'liteserver suspended after failures')
    assert.equal(line.server, `127.0.0.1:${liar.port}`)
  })

  it('does not retry or hide what is a bug', async () => {
    const { pool } = await startPool([await serve(), await serve()])
    let runs = 0
    const work = pool.run(() => {
      runs++
      return Promise.reject(new TypeError('bug'))
    })
    await assert.rejects(work, TypeError)
    assert.equal(runs, 1)
  })

  it('sends to several servers at once; one that takes it is enough', async () => {
    const servers = [await serve({ time: 2 }), await serve({ time: 1 }), await serve({ time: 2 })]
    const { pool } = await startPool(servers)
    await pool.send(Uint8Array.of(1, 2, 3))
    await until(() => servers.every(({ behaviour }) => behaviour.asked === 1))
    const [, accepting] = servers
    if (accepting !== undefined) accepting.behaviour.time = 2
    await assert.rejects(pool.send(Uint8Array.of(1)), (error: NodeRefusedError) => error.serverCode === -701)
  })

  it('stops at the signal, and closes without leaving anything behind', async () => {
    const mute = await serve({ time: undefined })
    const { pool } = await startPool([mute])
    await assert.rejects(getTime(pool, { signal: AbortSignal.timeout(20) }), { name: 'TimeoutError' })
    await pool.close()
    await until(() => mute.server.connections.size === 0)
    await assert.rejects(getTime(pool), NodeUnavailableError)
  })
})
