import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type LiteFunctions, LiteserverError, NOT_READY } from '../../src/devnet/liteserver/LiteFunction.ts'
import { liteFunctions } from '../../src/devnet/liteserver/Liteserver.ts'
import type { LiteserverListener } from '../../src/devnet/liteserver/listenLiteserver.ts'
import { formatRawAddress } from '../../src/primitives/Address.ts'
import { listenStore } from '../support/listenStore.ts'
import { createOwnChain } from '../support/OwnChain.ts'
import { getV2 } from '../support/v2Client.ts'
import type { V2Service } from '../support/v2Service.ts'
import { startV2OverServers } from '../support/v2Store.ts'
import type { Json } from '../support/v3Client.ts'

const destination = { workchain: 0, hash: new Uint8Array(32).fill(0x5a) }
const address = formatRawAddress(destination)
const payments = 40

/** What a node answers that has dropped all that was before a time. */
const forgetful = (firstLt: bigint): LiteFunctions => {
  const refuse = (lt: bigint | undefined): void => {
    if (lt !== undefined && lt < firstLt) throw new LiteserverError(NOT_READY, 'lt not in db')
  }
  return {
    ...liteFunctions,
    'liteServer.getTransactions': (context, args) => {
      refuse(args.lt)
      return liteFunctions['liteServer.getTransactions']!(context, args)
    },
    'liteServer.lookupBlockWithProof': (context, args) => {
      refuse(args.lt)
      return liteFunctions['liteServer.lookupBlockWithProof']!(context, args)
    },
    // By this they are told from archival ones.
    'liteServer.lookupBlock': () => {
      throw new LiteserverError(NOT_READY, 'seqno not in db')
    },
  }
}

describe('v2 over nodes that have dropped the past', () => {
  let chain: Awaited<ReturnType<typeof createOwnChain>>
  let everything: Json[]

  const listenForgetful = (firstLt: bigint): Promise<LiteserverListener> =>
    listenStore(chain.store, { functions: forgetful(firstLt) })

  const withService = async (servers: readonly LiteserverListener[], use: (service: V2Service) => Promise<void>) => {
    const service = await startV2OverServers(chain.store, servers)
    try {
      await use(service)
    } finally {
      await service.close()
    }
  }

  const ask = async ({ url }: V2Service, name: string, args: { readonly [name: string]: unknown }) => {
    const { status, body } = await getV2(`${url}/api/v2`, name, args)
    return { status, body }
  }

  before(async () => {
    chain = await createOwnChain()
    const [faucet] = chain.faucets
    for (let number = 0; number < payments; number++) {
      await chain.make({ externals: [chain.pay(faucet!, [{ destination, value: 20_000_000n, bounce: false }])] })
    }
    await chain.make()
    await withService([await listenStore(chain.store)], async (service) => {
      everything = (await ask(service, 'getTransactions', { address, limit: 1000 })).body.result
    })
    assert.equal(everything.length, payments)
  })
  after(() => chain.close())

  /** Nodes give 16 at once: the third page is the first that is refused. */
  const oldest = () => BigInt(everything[20].transaction_id.lt)

  it('gives what they have', async () => {
    await withService([await listenForgetful(oldest())], async (service) => {
      const { status, body } = await ask(service, 'getTransactions', { address, limit: 100 })
      assert.equal(status, 200)
      assert.deepEqual(body.result, everything.slice(0, 32))
      const typed = await ask(service, 'getTransactionsStd', { address, limit: 100 })
      assert.equal(typed.body.result.transactions.length, 32)
      assert.deepEqual(typed.body.result.previous_transaction_id, everything[32].transaction_id)
    })
  })

  it('says why there is nothing', async () => {
    await withService([await listenForgetful(oldest())], async (service) => {
      const { lt, hash } = everything[33].transaction_id
      const { status, body } = await ask(service, 'getTransactions', { address, lt, hash })
      assert.deepEqual([status, body.error], [500, 'LITE_SERVER_NOTREADY: lt not in db'])
      const { source, created_lt } = everything.at(-3).in_msg
      const located = await ask(service, 'tryLocateResultTx', { source, destination: address, created_lt })
      assert.deepEqual([located.status, located.body.error], [404, 'transaction was not found'])
      const archival = await ask(service, 'getTransactions', { address, archival: true })
      assert.deepEqual([archival.status, archival.body.error], [542, 'no workers available (archival=1 mode=Single)'])
    })
  })

  it('goes on with a node that has everything', async () => {
    const servers = [await listenForgetful(oldest()), await listenStore(chain.store)]
    await withService(servers, async (service) => {
      for (let tries = 0; tries < 5; tries++) {
        const args = { address, limit: 100 + tries }
        assert.deepEqual((await ask(service, 'getTransactions', args)).body.result, everything)
        const { in_msg, transaction_id } = everything.at(-1 - tries)
        const route = { source: in_msg.source, destination: address, created_lt: in_msg.created_lt }
        for (const name of ['tryLocateResultTx', 'tryLocateSourceTx']) {
          const { status, body } = await ask(service, name, route)
          assert.equal(status, 200, body.error)
          if (name === 'tryLocateResultTx') assert.deepEqual(body.result.transaction_id, transaction_id)
        }
      }
    })
  })
})
