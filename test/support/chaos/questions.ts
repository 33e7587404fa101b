import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from '../ownWorkload.ts'
import { getV3, type Json, type V3Answer } from '../v3Client.ts'
import type { Part } from './parts.ts'

/** Something whose answer is known. */
export type Question = {
  readonly name: string
  /** What must be there for it to be answered. */
  readonly needs: Part['name']
  ask(): Promise<V3Answer>
  /** What is wrong with an answer; nothing where it is right. */
  findFault(body: Json): string | undefined
}

/** What the service has ever shown: it must show it again. */
export type Knowledge = {
  readonly transactions: Map<string, { readonly account: string; readonly lt: string }>
  readonly heads: Record<'v2' | 'v3', { readonly seqno: number; readonly at: number }[]>
}

/** Two workers may differ by what one of them has just seen. */
const SETTLED_MS = 5000

/** Questions to a service over a network that began some time ago, together with what their answers must be. */
export const learnQuestions = async (url: string, still: string, knowledge: Knowledge): Promise<(() => Question)[]> => {
  const v2 = (name: string, args: object) => getV3(`${url}/api/v2`, name, { ...args })
  const v3 = (name: string, args: object) => getV3(`${url}/api/v3`, name, { ...args })
  const learn = async (ask: () => Promise<V3Answer>, read: (body: Json) => unknown): Promise<string> => {
    for (let tries = 0; ; tries++) {
      const { status, body } = await ask()
      if (status === 200) return JSON.stringify(read(body))
      assert.ok(tries < 50, `${status}: ${JSON.stringify(body)}`)
      await delay(200)
    }
  }
  const fixed = async (
    name: string,
    needs: Part['name'],
    ask: () => Promise<V3Answer>,
    read: (body: Json) => unknown,
  ): Promise<() => Question> => {
    const expected = await learn(ask, read)
    const findFault = (body: Json): string | undefined => {
      const found = JSON.stringify(read(body))
      return found === expected ? undefined : `${found} instead of ${expected}`
    }
    return () => ({ name, needs, ask, findFault })
  }
  const block = { workchain: -1, shard: '-9223372036854775808', seqno: 3 }
  const fixedOnes = await Promise.all([
    fixed(
      'v2 lookupBlock',
      'node',
      () => v2('lookupBlock', block),
      ({ result }) => result.root_hash,
    ),
    fixed(
      'v2 getBlockHeader',
      'node',
      () => v2('getBlockHeader', block),
      ({ result }) => [result.id.root_hash, result.gen_utime],
    ),
    fixed(
      'v2 getAddressInformation',
      'node',
      () => v2('getAddressInformation', { address: still }),
      ({ result }) => [result.balance, result.state, result.code],
    ),
    fixed(
      'v2 shards',
      'node',
      () => v2('shards', { seqno: 3 }),
      ({ result }) => result.shards.map((each: Json) => each.root_hash),
    ),
    fixed(
      'v3 blocks',
      'database',
      () => v3('blocks', { workchain: -1, seqno: 3 }),
      ({ blocks }) => blocks.map((each: Json) => [each.root_hash, each.tx_count]),
    ),
    fixed(
      'v3 accountStates',
      'database',
      () => v3('accountStates', { address: still }),
      ({ accounts }) => accounts.map((each: Json) => [each.balance, each.status]),
    ),
    fixed(
      'v3 transactionsByMasterchainBlock',
      'database',
      () => v3('transactionsByMasterchainBlock', { seqno: 3 }),
      ({ transactions }) => transactions.map((each: Json) => each.hash),
    ),
  ])
  return [
    ...fixedOnes,
    askHead(
      'v2',
      () => v2('getMasterchainInfo', {}),
      ({ result }) => result.last.seqno,
      knowledge,
    ),
    askHead(
      'v3',
      () => v3('masterchainInfo', {}),
      ({ last }) => last.seqno,
      knowledge,
    ),
  ]
}

const askHead = (
  side: 'v2' | 'v3',
  ask: () => Promise<V3Answer>,
  read: (body: Json) => number,
  { heads }: Knowledge,
): (() => Question) => {
  const seen = heads[side]
  return () => {
    const now = performance.now()
    const least = seen.filter(({ at }) => now - at > SETTLED_MS).reduce((most, { seqno }) => Math.max(most, seqno), 0)
    return {
      name: `${side} head`,
      needs: side === 'v2' ? 'node' : 'database',
      ask,
      findFault: (body) => {
        const seqno = read(body)
        seen.push({ seqno, at: performance.now() })
        return seqno < least ? `head ${seqno}, and ${least} was there before` : undefined
      },
    }
  }
}

/** The newest transactions, which are remembered, and any of those remembered, by either interface. */
export const growingQuestions = (url: string, random: Random, { transactions }: Knowledge): (() => Question)[] => {
  const pick = (): readonly [hash: string, where: { readonly account: string; readonly lt: string }] => {
    const all = [...transactions]
    return all[random.below(all.length)]!
  }
  return [
    () => ({
      name: 'v3 newest transactions',
      needs: 'database',
      ask: () => getV3(`${url}/api/v3`, 'transactions', { limit: 10, sort: 'desc' }),
      findFault: ({ transactions: found }) => {
        for (const { hash, account, lt } of found as Json[]) transactions.set(hash, { account, lt })
        return found.length > 0 ? undefined : 'no transaction'
      },
    }),
    () => {
      const [hash, { account, lt }] = pick()
      return {
        name: 'v3 transaction by hash',
        needs: 'database',
        ask: () => getV3(`${url}/api/v3`, 'transactions', { hash }),
        findFault: ({ transactions: [found] }) =>
          found?.hash === hash && found.account === account && found.lt === lt ? undefined : `${hash} is lost`,
      }
    },
    () => {
      const [hash, { account, lt }] = pick()
      return {
        name: 'v2 getTransactions',
        needs: 'node',
        ask: () => getV3(`${url}/api/v2`, 'getTransactions', { address: account, lt, hash, limit: 2 }),
        findFault: ({ result }) => (result[0]?.transaction_id.hash === hash ? undefined : `${hash} is lost`),
      }
    },
  ]
}
