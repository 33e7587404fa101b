import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TinyChain } from '../../test/support/TinyChain.ts'
import { NodeRefusedError, NodeTimeoutError, ProofFailedError } from '../chain/errors.ts'
import type { BlockIdExt } from '../primitives/BlockId.ts'
import { NonFinalBlocks } from './NonFinalBlocks.ts'
import type { ServerSession } from './pool/runOnServers.ts'

const chain = new TinyChain(0)
chain.add({ shardBlocks: 2 })
const [first, second] = chain.store.index.listIncluded(1).map(({ id }) => id) as [BlockIdExt, BlockIdExt]

type Answers = { list(): readonly BlockIdExt[]; read?(id: BlockIdExt): Uint8Array }

/** A server with its own idea of what is pending; counts the lists that were asked of it. */
const serverOf = (name: string, { list, read = (id) => chain.store.findBytes(id)! }: Answers) => {
  const server = {
    name,
    lists: 0,
    query: async (kind: string, args: { readonly id: BlockIdExt }) => {
      if (kind === 'liteServer.getBlock') return { id: args.id, data: read(args.id) }
      server.lists++
      return { signedBlocks: list(), candidates: [] }
    },
  }
  return server
}

const open = (...servers: readonly { readonly name: string }[]) =>
  new NonFinalBlocks({ openSessions: () => servers as unknown as readonly ServerSession[] })

const refuse = (): never => {
  throw new NodeRefusedError(-400, 'query is not allowed')
}

const nothingKnown = () => false

test('the first server that answers is followed; those that refuse are not asked again while it does', async () => {
  const refusing = serverOf('a', { list: refuse })
  const answering = serverOf('b', { list: () => [first, second] })
  const blocks = open(refusing, answering)
  const listed = await blocks.listPendingBlocks(({ rootHash }) => rootHash === first.rootHash)
  assert.deepEqual(
    listed?.map(({ id, bytes }) => [id, bytes?.length]),
    [
      [first, undefined],
      [second, chain.store.findBytes(second)!.length],
    ],
  )
  await blocks.listPendingBlocks(nothingKnown)
  assert.deepEqual([refusing.lists, answering.lists], [1, 2])
})

test('it is not there if all refuse; one that failed may have it', async () => {
  assert.equal(await open(serverOf('a', { list: refuse })).listPendingBlocks(nothingKnown), undefined)
  const late = serverOf('b', {
    list: () => {
      throw new NodeTimeoutError('late')
    },
  })
  await assert.rejects(open(serverOf('a', { list: refuse }), late).listPendingBlocks(nothingKnown), NodeTimeoutError)
  await assert.rejects(open().listPendingBlocks(nothingKnown), { code: 'node_unavailable' })
})

test('bytes of another block are refused, and a block that was replaced meanwhile is left out', async () => {
  const lying = serverOf('a', { list: () => [first], read: () => chain.store.findBytes(second)! })
  await assert.rejects(open(lying).listPendingBlocks(nothingKnown), ProofFailedError)
  const replaced = serverOf('a', {
    list: () => [first],
    read: () => {
      throw new NodeRefusedError(651, 'block handle not in db')
    },
  })
  assert.deepEqual(await open(replaced).listPendingBlocks(nothingKnown), [])
})
