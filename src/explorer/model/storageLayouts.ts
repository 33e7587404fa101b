import { CellCursor } from './CellCursor.ts'
import type { CellNode } from './cellTree.ts'
import type { ValueKind } from './methods.ts'

/** A field of the data of a contract. */
export type StorageField = {
  readonly name: string
  readonly kind: ValueKind
  readonly value: bigint | string | CellNode | null
}

export type Storage = { readonly layout: string; readonly fields: readonly StorageField[] }

/**
 * A layout as text: fields in their order, `name:type`. Types are `u` and `time` with a number of bits, `bool`, `coins`, `hash`, `address`,
 * `ref` and `dict`. `in:ref` goes on inside of the next reference, and `end:ref` back.
 */
type Layout = { readonly name: string; readonly interfaces: RegExp; readonly fields: string }

const JETTON = /^jetton_wallet/
const MASTER = /^jetton_master$/
const ITEM = /^nft_item/

// From the published sources of these contracts. An interface has several: the first is taken that fits the data to its last bit.
const layouts: readonly Layout[] = [
  {
    name: 'Wallet v5',
    interfaces: /^wallet_v5r1$/,
    fields: 'is_signature_allowed:bool seqno:u32 wallet_id:u32 public_key:hash extensions:dict',
  },
  {
    name: 'Wallet v4',
    interfaces: /^wallet_v4/,
    fields: 'seqno:u32 wallet_id:u32 public_key:hash plugins:dict',
  },
  { name: 'Wallet v3', interfaces: /^wallet_v3/, fields: 'seqno:u32 wallet_id:u32 public_key:hash' },
  { name: 'Wallet v1 or v2', interfaces: /^wallet_v[12]/, fields: 'seqno:u32 public_key:hash' },
  {
    name: 'Highload wallet v2',
    interfaces: /^wallet_highload_v2/,
    fields: 'wallet_id:u32 last_cleaned:u64 public_key:hash old_queries:dict',
  },
  {
    name: 'Highload wallet v3',
    interfaces: /^wallet_highload_v3/,
    fields: 'public_key:hash wallet_id:u32 old_queries:dict queries:dict last_clean_time:u64 timeout:u22',
  },
  {
    name: 'Vesting wallet',
    interfaces: /^(wallet_)?vesting/,
    fields:
      'seqno:u32 wallet_id:u32 public_key:hash whitelist:dict in:ref start:time64 total_duration:u32 unlock_period:u32 cliff_duration:u32 total_amount:coins sender:address owner:address end:ref',
  },
  {
    name: 'Jetton wallet',
    interfaces: JETTON,
    fields: 'balance:coins owner:address jetton_master:address wallet_code:ref',
  },
  { name: 'Jetton wallet', interfaces: JETTON, fields: 'balance:coins owner:address jetton_master:address' },
  {
    name: 'Governed jetton wallet',
    interfaces: JETTON,
    fields: 'status:u4 balance:coins owner:address jetton_master:address',
  },
  { name: 'Jetton', interfaces: MASTER, fields: 'total_supply:coins admin:address content:ref wallet_code:ref' },
  {
    name: 'Governed jetton',
    interfaces: MASTER,
    fields: 'total_supply:coins admin:address next_admin:address wallet_code:ref content:ref',
  },
  { name: 'NFT', interfaces: ITEM, fields: 'index:u64 collection:address owner:address content:ref' },
  { name: 'NFT without an owner', interfaces: ITEM, fields: 'index:u64 collection:address' },
  {
    name: 'Domain',
    interfaces: ITEM,
    fields: 'index:u256 collection:address owner:address content:ref domain:ref auction:dict last_fill_up:time64',
  },
  {
    name: 'Soulbound NFT',
    interfaces: ITEM,
    fields: 'index:u64 collection:address owner:address content:ref authority:address revoked_at:time64',
  },
  {
    name: 'NFT collection',
    interfaces: /^nft_collection/,
    fields: 'owner:address next_item_index:u64 content:ref item_code:ref royalty:ref',
  },
  { name: 'Domain collection', interfaces: /^nft_collection/, fields: 'content:ref item_code:ref' },
  {
    name: 'Multisig',
    interfaces: /^multisig_v2$/,
    fields:
      'next_order_seqno:u256 threshold:u8 signers:ref signers_number:u8 proposers:dict allow_arbitrary_seqno:bool',
  },
  {
    name: 'Multisig',
    interfaces: /^multisig_v2$/,
    fields:
      'next_order_seqno:u256 threshold:u8 signers:ref signers_number:u8 proposers:dict allow_arbitrary_seqno:bool order_code:ref',
  },
  {
    name: 'Multisig order',
    interfaces: /^multisig_order/,
    fields:
      'multisig:address order_seqno:u256 threshold:u8 is_executed:bool signers:ref approvals_mask:u256 approvals:u8 expires_at:time48 order:ref',
  },
]

/** The data of a contract by the layout of one of its interfaces; `undefined` where none fits. */
export const readStorage = (interfaces: readonly string[], data: CellNode): Storage | undefined => {
  for (const { name, interfaces: of, fields } of layouts) {
    if (!interfaces.some((each) => of.test(each))) continue
    const read = readFields(fields, data)
    if (read !== undefined) return { layout: name, fields: read }
  }
  return undefined
}

const readFields = (layout: string, data: CellNode): readonly StorageField[] | undefined => {
  const fields: StorageField[] = []
  const outer: CellCursor[] = []
  let cursor = new CellCursor(data)
  try {
    for (const field of layout.split(' ')) {
      const [name, type] = field.split(':') as [string, string]
      if (name === 'in') {
        outer.push(cursor)
        cursor = new CellCursor(cursor.ref())
      } else if (name === 'end') {
        if (!cursor.isAtEnd) return undefined
        cursor = outer.pop()!
      } else fields.push({ name, ...readField(cursor, type) })
    }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
  return cursor.isAtEnd ? fields : undefined
}

const readField = (cursor: CellCursor, type: string): Omit<StorageField, 'name'> => {
  if (type === 'bool') return { kind: 'bool', value: cursor.uint(1) }
  if (type === 'coins') return { kind: 'int', value: cursor.coins() }
  if (type === 'hash') return { kind: 'hash', value: cursor.uint(256) }
  if (type === 'address') return { kind: 'address', value: cursor.address() }
  if (type === 'ref') return { kind: 'cell', value: cursor.ref() }
  if (type === 'dict') return { kind: 'cell', value: cursor.maybeRef() }
  const [, word, bits] = /^(u|time)(\d+)$/.exec(type)!
  return { kind: word === 'time' ? 'time' : 'int', value: cursor.uint(Number(bits)) }
}
