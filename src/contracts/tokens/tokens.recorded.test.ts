import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { localnetAt, runnerOf } from '../../../test/support/contractRunner.ts'
import { haveFixtures, listFixtures, readFixtureJson } from '../../../test/support/fixtures.ts'
import { createTestMachine } from '../../../test/support/vmSamples.ts'
import { CHECKED_BOC, encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { type Address, formatFriendlyAddress, parseAddress } from '../../primitives/Address.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { findToken } from './findToken.ts'
import type { TokenContent } from './TokenContent.ts'
import type { TokenFacts } from './TokenFacts.ts'

type Recorded = {
  readonly request: {
    readonly query?: { readonly address?: string }
    readonly body?: { readonly params?: { readonly address?: string } }
  }
  readonly status: number
  readonly response: { readonly result?: Record<string, unknown>; readonly error?: string }
  readonly pinned: boolean
}

const { machine } = await createTestMachine({ after })

const friendly = (address: Address | undefined): string | undefined =>
  address === undefined ? undefined : formatFriendlyAddress(address)

const contentOf = (content: TokenContent): unknown =>
  content.kind === 'offChain' ? { type: 'offchain', data: content.uri } : { type: 'onchain', data: content.texts }

/** Facts in the words of the server that was recorded, which leaves codes to compare by their bags. */
const toRecorded = (token: TokenFacts): Record<string, unknown> => {
  switch (token.kind) {
    case 'jettonMaster':
      return {
        contract_type: 'jetton_master',
        total_supply: Number(token.totalSupply),
        mintable: token.mintable,
        admin_address: friendly(token.admin),
        jetton_content: contentOf(token.content),
        jetton_wallet_code: toBase64(encodeBoc([token.walletCode], CHECKED_BOC)),
      }
    case 'jettonWallet':
      return {
        contract_type: 'jetton_wallet',
        balance: Number(token.balance),
        owner: friendly(token.owner),
        jetton: friendly(token.master),
        jetton_wallet_code: toBase64(encodeBoc([token.walletCode], CHECKED_BOC)),
      }
    case 'nftCollection':
      return {
        contract_type: 'nft_collection',
        next_item_index: Number(token.nextItemIndex),
        owner_address: friendly(token.owner),
        collection_content: contentOf(token.content),
      }
    case 'nftItem':
      return {
        contract_type: 'nft_item',
        init: token.initialized,
        index: Number(token.index),
        owner_address: friendly(token.owner),
        collection_address: friendly(token.collection),
        content: contentOf(token.content),
      }
  }
}

test('tokens of the recorded network are found as the recorded server found them', async (t) => {
  if (!haveFixtures(t, 'localnet/api-v2/python/getTokenData')) return
  const { context, find } = localnetAt([400]).get(400)!
  const run = runnerOf(machine, context, find)
  const counts: Record<string, number> = {}
  for (const path of listFixtures('localnet/api-v2/python/getTokenData', '.json')) {
    const { request, status, response, pinned } = readFixtureJson<Recorded>(path)
    const asked = request.query?.address ?? request.body?.params?.address
    if (!pinned || asked === undefined || (status !== 200 && status !== 409)) continue
    const token = await findToken(run, parseAddress(asked))
    assert.deepEqual(token === undefined ? undefined : toRecorded(token), response.result, path)
    const kind = token?.kind ?? 'none'
    counts[kind] = (counts[kind] ?? 0) + 1
  }
  for (const kind of ['none', 'jettonMaster', 'jettonWallet', 'nftCollection', 'nftItem']) {
    assert.ok((counts[kind] ?? 0) > 0, `no answer about kind ${kind} was compared`)
  }
})

test('how an address is spelled does not matter, though it did to the recorded server', async (t) => {
  if (!haveFixtures(t, 'localnet/api-v2/python/getTokenData')) return
  const { context, find } = localnetAt([400]).get(400)!
  const run = runnerOf(machine, context, find)
  const kinds: (string | undefined)[] = []
  for (const path of listFixtures('localnet/api-v2/python/getTokenData', '.json')) {
    const { request, response } = readFixtureJson<Recorded>(path)
    const asked = request.query?.address
    if (asked === undefined || !response.error?.startsWith('Verification with')) continue
    kinds.push((await findToken(run, parseAddress(asked)))?.kind)
  }
  assert.deepEqual([...new Set(kinds)].sort(), ['jettonWallet', 'nftItem'])
})
