import { crc16 } from './addresses.ts'

/** What a value of a get-method means, which is more than its type on the stack. */
export type ValueKind =
  | 'int'
  | 'bool'
  | 'coins'
  | 'time'
  | 'duration'
  | 'hash'
  | 'address'
  | 'cell'
  | 'text'
  | 'domain'
  | 'any'

export type MethodValue = { readonly name: string; readonly kind: ValueKind }

export type MethodSignature = {
  readonly name: string
  /** `undefined` where they are not known. */
  readonly args: readonly MethodValue[] | undefined
  readonly results: readonly MethodValue[] | undefined
}

// Contracts carry the numbers of their methods only. A question mark stands for arguments or results that differ between contracts.
const table = `
seqno() seqno:int
get_public_key() public_key:hash
get_subwallet_id() subwallet_id:int
get_wallet_id() wallet_id:int
get_plugin_list() plugins:any
is_plugin_installed(workchain:int,address_hash:int) is_installed:bool
is_signature_allowed() is_signature_allowed:bool
is_signature_auth_allowed() is_signature_allowed:bool
get_extensions() extensions:cell
get_jetton_data() total_supply:int,is_mintable:bool,admin:address,content:cell,wallet_code:cell
get_wallet_address(owner:address) jetton_wallet:address
get_wallet_data() balance:int,owner:address,jetton_master:address,wallet_code:cell
get_status() status:int
get_next_admin_address() next_admin:address
get_nft_data() is_initialized:bool,index:int,collection:address,owner:address,content:cell
get_collection_data() next_item_index:int,content:cell,owner:address
get_nft_address_by_index(index:int) nft_item:address
get_nft_content(index:int,individual_content:cell) content:cell
royalty_params() numerator:int,denominator:int,destination:address
get_editor() editor:address
get_revoked_time() revoked_at:time
get_authority_address() authority:address
dnsresolve(domain:domain,category:int) resolved_bits:int,record:cell
get_domain() domain:text
get_full_domain() domain:text
get_auction_info() max_bid_address:address,max_bid:coins,auction_end:time
get_last_fill_up_time() last_fill_up:time
get_sale_data() ?
get_fix_price_data_v4() ?
get_auction_data() ?
get_auction_data_v4() ?
get_multisig_data() next_order_seqno:int,threshold:int,signers:cell,proposers:cell
get_order_address(order_seqno:int) order:address
get_order_data() multisig:address,order_seqno:int,threshold:int,is_executed:bool,signers:cell,approvals_mask:int,approvals:int,expires_at:time,order:cell
get_order_estimate(order:cell,expires_at:int) fee:coins
get_vesting_data() start:time,total_duration:duration,unlock_period:duration,cliff_duration:duration,total_amount:coins,sender:address,owner:address,whitelist:cell
get_whitelist() addresses:any
is_whitelisted(address:address) is_whitelisted:bool
get_locked_amount(time:int) locked:coins
processed?(query_id:int,need_clean:int) is_processed:bool
get_last_clean_time() last_cleaned:time
get_timeout() timeout:duration
get_pool_data() ?
get_pool_full_data() ?
get_expected_outputs(?) ?
get_reserves() reserve_0:int,reserve_1:int
get_assets() asset_0:any,asset_1:any
get_router_data() ?
get_pool_address(?) pool:address
get_participant_list() participants:any
participates_in(public_key:int) stake:coins
participant_list() participants:any
participant_list_extended() elect_at:time,elect_close:time,min_stake:coins,total_stake:coins,participants:any,has_failed:bool,is_finished:bool
past_elections() elections:any
active_election_id() election_id:time
compute_returned_stake(address_hash:int) stake:coins
get_past_complaints() complaints:any
list_nominators() nominators:any
get_nominator_data(address_hash:int) deposit:coins,pending_deposit:coins,withdraw_requested:bool
get_nominators_data() ?
get_members_raw() ?
get_pool_status() ?
get_channel_data() ?
get_static_data() ?
get_id() id:int
get_owner() owner:address
owner() owner:address
version() version:int
get_version() version:int
get_counter() counter:int
counter() counter:int
list_proposals() proposals:any
get_proposal(proposal_hash:int) proposal:any
unpack_config(?) ?
check_validator_signed(proposal_hash:int,validator_index:int) is_signed:bool
supported_interfaces() ?
get_price() price:coins
get_data() ?
balance() balance:int
get_balance() balance:int
`

const readValues = (text: string): readonly MethodValue[] | undefined => {
  if (text === '?') return undefined
  return text
    .split(',')
    .filter((value) => value !== '')
    .map((value) => {
      const [name, kind] = value.split(':') as [string, ValueKind]
      return { name, kind }
    })
}

const signatures: readonly MethodSignature[] = table
  .trim()
  .split('\n')
  .map((line) => {
    const [, name, args, results] = /^(\S+)\((.*)\) (.*)$/.exec(line)!
    return { name: name!, args: readValues(args!), results: readValues(results!) }
  })

/** The number of a get-method: a checksum of its name. */
export const methodIdOf = (name: string): number => (crc16(new TextEncoder().encode(name)) & 0xffff) | 0x10000

const byId = new Map(signatures.map((signature) => [methodIdOf(signature.name), signature]))

// Not methods: what messages, and the clock, set off.
const entries: { readonly [id: number]: string } = {
  0: 'recv_internal',
  [-1]: 'recv_external',
  [-2]: 'run_ticktock',
  524287: 'recv_external',
  524286: 'run_ticktock',
}

/** The signature of a get-method; `undefined` where it is not in the table. */
export const findSignature = (id: number): MethodSignature | undefined => byId.get(id)

/** Whether it is an entry that messages or the clock call, and no get-method. */
export const isEntry = (id: number): boolean => entries[id] !== undefined

/** A name for any method. */
export const nameMethod = (id: number): string => entries[id] ?? byId.get(id)?.name ?? `method_${id}`
