import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { contractAt, findAmong, localnetAt, runnerOf } from '../../../test/support/contractRunner.ts'
import { haveFixtures, listFixtures, readFixture, readFixtureJson } from '../../../test/support/fixtures.ts'
import { createTestMachine, sampleContext } from '../../../test/support/vmSamples.ts'
import type { ContractState } from '../../chain/ports.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { CHECKED_BOC, encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { openAccount } from '../../codec/tlb/Account.ts'
import { readShardAccount } from '../../codec/tlb/ShardAccounts.ts'
import { type Address, formatFriendlyAddress, parseAddress } from '../../primitives/Address.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { findToken, type TokenFacts } from './findToken.ts'
import type { TokenContent } from './tokenContent.ts'

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

test('tokens of the recorded network are found as the recorded server found them', async () => {
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

test('how an address is spelled does not matter, though it did to the recorded server', async () => {
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

type IndexedAccount = {
  readonly file: string
  readonly address: string
  readonly status: string
  readonly form: string
}

const readContract = ({ file, address, form }: IndexedAccount): ContractState[] => {
  // Two of them come from writers that state wrong level masks.
  const root = decodeSingleBoc(readFixture(`mainnet/accounts/${file}`), { lenient: true })
  const account = openAccount(form === 'shard_account' ? readShardAccount(openCell(root)).account : root)
  if (account.kind !== 'account' || account.state.kind !== 'active') return []
  return [contractAt(parseAddress(address), account.state.init)]
}

test('tokens of the main network are found, wallets with the consent of their masters', async (t) => {
  if (!haveFixtures(t, 'mainnet/accounts/index.json')) return
  const index = readFixtureJson<readonly IndexedAccount[]>('mainnet/accounts/index.json')
  const contracts = index.filter(({ status }) => status === 'active').flatMap(readContract)
  const run = runnerOf(machine, sampleContext(), findAmong(contracts))
  const found: Record<string, string> = {}
  for (const { address } of contracts) {
    const token = await findToken(run, address)
    if (token === undefined) continue
    const name = token.kind === 'jettonWallet' ? friendly(token.master) : describeContent(token.content)
    found[formatFriendlyAddress(address)] = `${token.kind} ${name}`
  }
  assert.deepEqual(found, {
    EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs: 'jettonMaster 6 https://tether.to/usdt-ton.json',
    'EQA-X_yo3fzzbDbJ_0bzFWKqtRuZFIRa1sJsveZJ1YpViO3r':
      'jettonMaster LP 9 https://api.dedust.io/v2/pools/' +
      '0:3e5ffca8ddfcf36c36c9ff46f31562aab51b9914845ad6c26cbde649d58a5588/metadata',
    EQBc4sNQyy1H6bxyfHBm6Pr6_Vorx9NhcBvuRKnsz4GFKHc5: 'jettonWallet EQC98_qAmNEptUtPc7W6xdHh_ZHrBUFpw5Ft_IzNU20QAJav',
    'EQCTUD06KGol-b3jchZvszCxskkPAKsf4PUpO2y2H4ESGa34': 'jettonWallet EQC98_qAmNEptUtPc7W6xdHh_ZHrBUFpw5Ft_IzNU20QAJav',
    EQC98_qAmNEptUtPc7W6xdHh_ZHrBUFpw5Ft_IzNU20QAJav:
      'jettonMaster Tonstakers TON tsTON 9 https://tonstakers.com/jetton/meta.json',
    EQD1YFp12AGEgX6C3uiWh751EcRxPZo6GtBmHziY29jcbQzS:
      'nftCollection https://nft.fragment.com/collection/poolfloat.json',
  })
})

const describeContent = (content: TokenContent): string => {
  if (content.kind === 'offChain') return content.uri
  const { name, symbol, decimals, uri } = content.texts
  return [name, symbol, decimals, uri].filter((text) => text !== undefined).join(' ')
}
