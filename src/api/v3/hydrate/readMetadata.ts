import { ADDRESS_KEY_BYTES } from '../../../primitives/Address.ts'
import { findTokens, type HeldToken, type TokenRole } from '../../../store/reader/tokens.ts'
import { recordAsJson } from '../../core/json/JsonText.ts'
import { stringifyJson } from '../../core/json/stringifyJson.ts'
import type { V3Parts } from '../V3Context.ts'
import type { AddressMetadata, Metadata, TokenInfo } from '../views/MetadataView.ts'
import { addressText } from '../views/scalars.ts'
import { distinctKeys } from './distinctKeys.ts'
import { pickReader } from './pickReader.ts'

type Parts = Pick<V3Parts, 'points' | 'lists'>

/** What tokens among these addresses say of themselves, with the masters of jetton wallets, whatever the caller said of metadata. */
export const readMetadata = async (parts: Parts, addresses: Iterable<Uint8Array>): Promise<Metadata> => {
  const accounts = distinctKeys(addresses).filter(({ length }) => length === ADDRESS_KEY_BYTES)
  const { roles, wallets } = await findTokens(pickReader(parts, accounts.length), accounts)
  const infos = new Map<string, TokenInfo[]>()
  const add = (address: Uint8Array, info: TokenInfo): void => {
    const text = addressText(address)
    const others = infos.get(text)
    if (others === undefined) infos.set(text, [info])
    else others.push(info)
  }
  for (const role of roles) add(role.address, toTokenInfo(role))
  for (const wallet of wallets) add(wallet.address, toWalletInfo(wallet))
  return recordAsJson([...infos].map(([text, info]) => [text, stringifyJson(toAddressMetadata(info))]))
}

const toAddressMetadata = (token_info: TokenInfo[]): AddressMetadata => ({
  is_indexed: token_info.every(({ valid }) => valid !== undefined),
  token_info,
})

const toWalletInfo = ({ owner, jetton, balance }: HeldToken): TokenInfo => ({
  valid: true,
  type: 'jetton_wallets',
  extra: { owner: addressText(owner), jetton: addressText(jetton), balance: String(balance) },
})

/** What the chain says went before what was found elsewhere when it was found out. Nobody here judges tokens. */
const toTokenInfo = ({ type, index, said }: TokenRole): TokenInfo => {
  const valid = said?.valid === true ? said : undefined
  // With all members in each, and those that are absent undefined: to put objects together from parts makes a kind of its own of every
  // mix, which only the great collection of garbage clears away.
  return {
    valid: said?.valid,
    type,
    name: valid?.name,
    symbol: valid?.symbol,
    description: valid?.description,
    image: valid?.image,
    is_nsfw: valid && false,
    is_scam: valid && false,
    extra: valid && hasMembers(valid.extra) ? valid.extra : undefined,
    nft_index: index === undefined ? undefined : String(index),
  } as TokenInfo
}

const hasMembers = (object: object): boolean => {
  for (const _name in object) return true
  return false
}
