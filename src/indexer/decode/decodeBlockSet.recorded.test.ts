import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type CopiedRow, readCopiedRows } from '../../../test/support/copyRows.ts'
import { hex, readRows } from '../../../test/support/decodedRows.ts'
import { fixturePath } from '../../../test/support/fixtures.ts'
import { loadLocalnetStore } from '../../../test/support/localnetStore.ts'
import { listLocalnetBlockSets } from '../../../test/support/rawBlockSets.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { unpackCell } from '../../codec/stored/packCell.ts'
import { unpackDescription } from '../../codec/stored/packDescription.ts'
import { accountNoneCell, openAccount } from '../../codec/tlb/Account.ts'
import { openAccountBlocks, openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import { normalizedExternalHash, readMessage } from '../../codec/tlb/Message.ts'
import { openShardAccounts } from '../../codec/tlb/ShardAccounts.ts'
import { openShardState } from '../../codec/tlb/ShardState.ts'
import { readTransaction } from '../../codec/tlb/Transaction.ts'
import { formatRawAddress, parseAddressKey } from '../../primitives/Address.ts'
import { toHex } from '../../primitives/hex.ts'
import { formatShard, fromSignedShard } from '../../primitives/shard.ts'
import { decodeMessageBits, findAccountStatus } from '../../store/schema/codes.ts'
import { tables } from '../../store/schema/tables.ts'
import { type DecodedBlockSet, MESSAGE_KIND } from '../blockSets.ts'
import { decodeBlockSet } from './decodeBlockSet.ts'

type RecordedMessage = {
  readonly type: 'internal' | 'external-in' | 'external-out'
  readonly hash: string
  readonly src: string | null
  readonly dest: string | null
  readonly init: boolean
  readonly body_hash: string
  readonly value?: string
  readonly extra_currencies?: Readonly<Record<string, string>>
  readonly bounce?: boolean
  readonly bounced?: boolean
  readonly created_lt?: string
  readonly created_at?: number
  readonly fwd_fee?: string
  readonly opcode?: string
}

type RecordedTransaction = {
  readonly block: string
  readonly account: string
  readonly lt: string
  readonly hash: string
  readonly prev_lt: string
  readonly prev_hash: string
  readonly now: number
  readonly orig_status: string
  readonly end_status: string
  readonly total_fees: string
  readonly old_state_hash: string
  readonly new_state_hash: string
  readonly in_msg?: RecordedMessage
  readonly out_msgs: readonly RecordedMessage[]
}

const readRecorded = (): RecordedTransaction[] =>
  readFileSync(fixturePath('localnet/transactions.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedTransaction)

const EMPTY_CELL = '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7'

const address = (value: CopiedRow[string]): string | null => {
  if (value === null) return null
  const parsed = parseAddressKey(value as Uint8Array)
  return typeof parsed === 'string' ? parsed : formatRawAddress(parsed)
}

const opcode = (value: CopiedRow[string]): string => `0x${((value as number) >>> 0).toString(16).padStart(8, '0')}`

const STATUS_NAMES: Readonly<Record<string, string>> = {
  active: 'active',
  uninit: 'uninitialized',
  frozen: 'frozen',
  nonexist: 'non-existing',
}

const status = (value: CopiedRow[string]): string | undefined => STATUS_NAMES[findAccountStatus(value as number)!]

/** What is recorded of a message and kept in a row, whichever of the two tables it is in; `side` is the end that is its account. */
const describeMessage = (row: CopiedRow, prefix: string, side: 'src' | 'dest'): Partial<RecordedMessage> => {
  const bits = decodeMessageBits(row[prefix === '' ? 'bits' : 'in_bits'] as number)
  const { kind } = bits
  const isInternal = kind === MESSAGE_KIND.internal || kind === MESSAGE_KIND.system
  const field = (name: string) => row[prefix + name]!
  const amount = (name: string): string => String(field(name))
  const other = address(row[side === 'src' ? 'destination' : 'in_source']!)
  const own = address(row['account']!)
  const type = isInternal ? 'internal' : kind === MESSAGE_KIND.externalIn ? 'external-in' : 'external-out'
  return {
    type,
    hash: hex(field('hash'))!,
    src: side === 'src' ? own : other,
    dest: side === 'dest' ? own : other,
    init: field('init_hash') !== null,
    body_hash: hex(field('body_hash')) ?? EMPTY_CELL,
    ...(isInternal && {
      value: amount('value'),
      bounce: bits.bounce,
      bounced: bits.bounced,
      created_at: field('created_at') as number,
      fwd_fee: amount('fwd_fee'),
    }),
    ...(type !== 'external-in' && { created_lt: amount('created_lt') }),
    ...(field('opcode') !== null && { opcode: opcode(field('opcode')) }),
    ...(field('value_extra') !== null && { extra_currencies: field('value_extra') as Record<string, string> }),
  }
}

const expectMessage = (message: RecordedMessage | undefined): Partial<RecordedMessage> | undefined =>
  message && { ...message, dest: message.type === 'external-out' ? null : message.dest }

const describeTransaction = (row: CopiedRow, outgoing: readonly CopiedRow[]) => {
  const shard = formatShard(fromSignedShard(row['block_shard'] as bigint))
  const account = address(row['account']!)!
  return {
    block: `${account.split(':')[0]}_${shard}_${row['block_seqno']}`,
    account,
    lt: String(row['lt']),
    hash: hex(row['hash']!),
    prev_lt: String(row['prev_lt']),
    prev_hash: hex(row['prev_hash'] ?? new Uint8Array(32)),
    now: row['now'],
    orig_status: status(row['orig_status']!),
    end_status: status(row['end_status']!),
    total_fees: String(row['total_fees']),
    old_state_hash: hex(row['state_before'] ?? accountNoneCell.hash()),
    new_state_hash: hex(row['state_after']!),
    in_msg: row['in_hash'] === null ? undefined : describeMessage(row, 'in_', 'dest'),
    out_msgs: outgoing.map((message) => describeMessage(message, '', 'src')),
  }
}

const expectTransaction = (tx: RecordedTransaction): ReturnType<typeof describeTransaction> => ({
  block: tx.block,
  account: tx.account,
  lt: tx.lt,
  hash: tx.hash,
  prev_lt: tx.prev_lt,
  prev_hash: tx.prev_hash,
  now: tx.now,
  orig_status: tx.orig_status,
  end_status: tx.end_status,
  total_fees: tx.total_fees,
  old_state_hash: tx.old_state_hash,
  new_state_hash: tx.new_state_hash,
  in_msg: expectMessage(tx.in_msg),
  out_msgs: tx.out_msgs.map((message) => expectMessage(message)!),
})

test('every transaction of the recorded network', async (t) => {
  const recorded = new Map(readRecorded().map((tx) => [tx.hash, tx]))
  const store = await loadLocalnetStore()
  const blockSets = listLocalnetBlockSets()
  let checked = 0
  let states = 0
  for (const raw of blockSets) {
    const blockSet = decodeBlockSet(raw)
    const contents = new Map(
      readCopiedRows(
        { hash: tables.message_contents.hash, content: tables.message_contents.content },
        blockSet.contents.rows,
      ).map(({ hash, content }) => [hex(hash!)!, content as Uint8Array]),
    )
    assert.equal(contents.size, blockSet.contents.count)
    for (const [hash, content] of contents) assert.equal(toHex(unpackCell(content).hash()), hash)
    assert.deepEqual([...contents.keys()], toHex(blockSet.contents.hashes).match(/.{64}/g) ?? [])
    const found = readRows(blockSet)
    const descriptions = new Map<string, string>()
    const normal = new Map<string, string>()
    for (const { bytes } of [raw.masterchain, ...raw.shards]) {
      openAccountBlocks(openBlockExtra(openBlock(decodeSingleBoc(bytes)).extra)).forEach((_id, { transactions }) => {
        transactions.forEach((_lt, cell) => {
          descriptions.set(toHex(cell.hash()), toHex(cell.ref(cell.refCount - 1).hash()))
          const { inMsg } = readTransaction(openCell(cell))
          const message = inMsg && readMessage(openCell(inMsg))
          if (message?.info.kind === 'externalIn') {
            normal.set(toHex(cell.hash()), toHex(normalizedExternalHash(message)))
          }
        })
      })
    }
    assert.equal(descriptions.size, found.length)
    const ordered = found.map(({ row }) => [row['lt'], address(row['account']!)!] as [bigint, string])
    assert.deepEqual(
      ordered,
      ordered.toSorted(([a, x], [b, y]) => Number(a - b) || compareRaw(x, y)),
    )
    for (const { row, sent } of found) {
      const hash = hex(row['hash']!)!
      assert.deepEqual(describeTransaction(row, sent), expectTransaction(recorded.get(hash)!), hash)
      assert.equal(toHex(unpackDescription(row['description'] as Uint8Array).hash()), descriptions.get(hash))
      assert.equal(hex(row['in_hash_norm']!) ?? hex(row['in_hash']!), normal.get(hash) ?? hex(row['in_hash']!))
      // Readers find the messages of a transaction by this.
      for (const [k, message] of sent.entries()) {
        assert.equal(message['created_lt'], (row['lt'] as bigint) + 1n + BigInt(k))
      }
      for (const body of [
        row['in_body_hash'],
        row['in_init_hash'],
        ...sent.flatMap((m) => [m['body_hash'], m['init_hash']]),
      ]) {
        if (body !== null) assert.ok(contents.has(hex(body!)!))
      }
      checked++
    }
    states += await checkStates(blockSet, found, store)
  }
  assert.equal(checked, recorded.size)
  t.diagnostic(`${checked} transactions, ${states} states of accounts`)
})

const compareRaw = (a: string, b: string): number =>
  Number(a.split(':')[0]) - Number(b.split(':')[0]) || (a < b ? -1 : a > b ? 1 : 0)

type Store = Awaited<ReturnType<typeof loadLocalnetStore>>

/** Compares what is said of accounts with the whole states after the blocks. */
const checkStates = async (
  blockSet: DecodedBlockSet,
  found: readonly { readonly row: CopiedRow }[],
  store: Store,
): Promise<number> => {
  const seen = new Map<string, CopiedRow>()
  let count = 0
  for (const { row } of found.toReversed()) {
    const account = row['account'] as Uint8Array
    const key = `${hex(account)} ${row['block_seqno']}`
    if (seen.has(key)) {
      assert.deepEqual(
        [row['balance'], row['code_hash'], row['data_hash'], row['balance_extra']],
        [null, null, null, null],
      )
      continue
    }
    seen.set(key, row)
    const workchain = (account[0]! << 24) >> 24
    const shard = row['block_shard'] as bigint
    const block = blockSet.blocks.find(
      (b) => b.workchain === workchain && b.shard === shard && b.seqno === row['block_seqno'],
    )!
    const state = openShardState(
      store.findState({
        workchain,
        shard: fromSignedShard(shard),
        seqno: block.seqno,
        rootHash: block.root_hash,
        fileHash: block.file_hash,
      })!,
    )
    assert.ok(state.kind === 'unsplit')
    const entry = openShardAccounts(state.accounts).find(account.slice(1))
    const after = entry === undefined ? undefined : openAccount(entry.account)
    const init = after?.kind === 'account' && after.state.kind === 'active' ? after.state.init : undefined
    assert.deepEqual(
      [row['balance'], hex(row['code_hash']!), hex(row['data_hash']!), row['frozen_hash']],
      [
        after?.kind === 'account' ? after.balance.grams : 0n,
        init?.code === undefined ? null : toHex(init.code.hash()),
        init?.data === undefined ? null : toHex(init.data.hash()),
        null,
      ],
    )
    if (row['balance_extra'] !== 'unknown') {
      const extra = after?.kind === 'account' ? after.balance.extra.entries() : []
      assert.deepEqual(
        row['balance_extra'] ?? {},
        Object.fromEntries(extra.map(([id, amount]) => [id, amount.toString()])),
      )
    }
    count++
  }
  checkTouched(blockSet, found)
  return count
}

/** Every account once, as its last row has it. */
const checkTouched = (blockSet: DecodedBlockSet, found: readonly { readonly row: CopiedRow }[]): void => {
  const last = new Map(found.map(({ row }) => [hex(row['account']!)!, row]))
  assert.deepEqual(blockSet.accounts.map(({ account }) => toHex(account)).sort(), [...last.keys()].sort())
  for (const touched of blockSet.accounts) {
    const row = last.get(toHex(touched.account))!
    assert.deepEqual(
      {
        shard: BigInt.asIntN(64, touched.blockShard),
        seqno: touched.blockSeqno,
        lt: touched.lastLt,
        hash: toHex(touched.lastHash),
        now: touched.now,
        state: toHex(touched.stateHash),
        status: touched.status,
        balance: touched.balance,
        extra: touched.extraCurrencies ?? null,
        code: touched.codeHash ? toHex(touched.codeHash) : null,
        data: touched.dataHash ? toHex(touched.dataHash) : null,
        workchain: touched.workchain,
      },
      {
        shard: row['block_shard'],
        seqno: row['block_seqno'],
        lt: row['lt'],
        hash: hex(row['hash']!),
        now: row['now'],
        state: hex(row['state_after']!),
        status: findAccountStatus(row['end_status'] as number),
        balance: row['balance'],
        extra: row['balance_extra'],
        code: hex(row['code_hash']!),
        data: hex(row['data_hash']!),
        workchain: ((row['account'] as Uint8Array)[0]! << 24) >> 24,
      },
    )
  }
}
