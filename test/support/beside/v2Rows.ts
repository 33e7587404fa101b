import { type RawRequest, rawGet, rawPost } from '../httpLoad.ts'
import type { BesideNetwork } from './besideNetworkChild.ts'

/** One of the two servers. */
export type Side = {
  readonly url: string
  readonly base: string
  readonly pid: number
  readonly warmUpRequests: number
}

/** A request that both servers get, about many wallets, minters or blocks in turn. */
export type V2Row = {
  readonly key: string
  readonly name: string
  /** The ratio of CPU time that is aimed at. */
  readonly wanted: number
  /** How many different ones there are, where a second request would find something proven. */
  readonly unseen?: number
  ask(side: Side, number: number): RawRequest
  /** Does the same work for something that was seen before, so that it can be repeated to warm up. */
  warmUp?(side: Side, number: number): RawRequest
  /** What both answers must have in common. */
  pick(result: never): unknown
}

type Call = { readonly path: string; readonly body?: object }

export const listRows = ({ wallets, minters, blocks }: BesideNetwork): readonly V2Row[] => {
  const of = <T>(list: readonly T[], number: number): T => list[number % list.length]!
  const row = <R>(
    key: string,
    name: string,
    wanted: number,
    call: (number: number) => Call,
    pick: (result: R) => unknown,
  ): V2Row => ({
    key,
    name,
    wanted,
    ask: ({ url, base }, number) => {
      const { path, body } = call(number)
      return body === undefined ? rawGet(url, `${base}/${path}`) : rawPost(url, `${base}/${path}`, body)
    },
    pick: pick as V2Row['pick'],
  })
  const method = (address: string, name: string): Call => ({
    path: 'runGetMethod',
    body: { address, method: name, stack: [] },
  })
  return [
    row<{ init: { root_hash: string } }>(
      'info',
      'getMasterchainInfo',
      20,
      () => ({ path: 'getMasterchainInfo' }),
      ({ init }) => init.root_hash,
    ),
    row<{ balance: string | number; code: string; data: string; state: string }>(
      'account',
      'getAddressInformation',
      15,
      (k) => ({ path: `getAddressInformation?address=${of(wallets, k)}` }),
      ({ balance, code, data, state }) => [String(balance), code, data, state],
    ),
    row<readonly { readonly data: string }[]>(
      'transactions',
      'getTransactions, limit 10',
      15,
      (k) => ({ path: `getTransactions?address=${of(wallets, k)}&limit=10` }),
      (list) => list.map(({ data }) => data),
    ),
    {
      ...row<{ readonly transactions: readonly { readonly hash: string; readonly lt: string }[] }>(
        'block',
        'getBlockTransactions',
        10,
        (k) => ({ path: `getBlockTransactions?workchain=0&shard=-9223372036854775808&seqno=${of(blocks, k)}` }),
        ({ transactions }) => transactions.map(({ hash, lt }) => [hash, lt]),
      ),
      unseen: blocks.length,
      warmUp: ({ url, base }, k) => {
        const path = k % 2 === 0 ? 'lookupBlock' : 'getBlockTransactions'
        return rawGet(url, `${base}/${path}?workchain=0&shard=-9223372036854775808&seqno=${of(blocks, k)}`)
      },
    },
    row<{ readonly exit_code: number; readonly stack: unknown }>(
      'seqno',
      'runGetMethod seqno',
      15,
      (k) => method(of(wallets, k), 'seqno'),
      ({ exit_code, stack }) => [exit_code, stack],
    ),
    row<{ readonly exit_code: number; readonly stack: readonly unknown[] }>(
      'jetton',
      'runGetMethod get_jetton_data',
      15,
      (k) => method(of(minters, k), 'get_jetton_data'),
      ({ exit_code, stack }) => [exit_code, stack.length, stack[0], stack[1]],
    ),
  ]
}

/** The facts of an answer that both servers must state. */
export const readFacts = async ({ ask, pick }: V2Row, side: Side): Promise<string> => {
  const text = ask(side, 0).toString()
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const [, verb = '', path = ''] = /^(\S+) (\S+)/.exec(head) ?? []
  const options = verb === 'POST' ? { method: verb, body, headers: { 'content-type': 'application/json' } } : {}
  const answer = await fetch(`${side.url}${path}`, options)
  const { result } = (await answer.json()) as { readonly result: never }
  if (!answer.ok) throw new Error(`${side.url}${path} answers with status ${answer.status}.`)
  return JSON.stringify(pick(result))
}
