import { ADDRESS_KEY_BYTES } from '../../../primitives/addressKey.ts'
import { findHeldTokens, type HeldToken } from '../../../store/reader/findHeldTokens.ts'
import { type FoundMetadata, findTokenMetadata } from '../../../store/reader/findTokenMetadata.ts'
import { findTokenRoles, type TokenRole } from '../../../store/reader/findTokenRoles.ts'
import type { V3Parts } from '../V3Context.ts'
import type { Metadata, TokenInfo } from '../views/MetadataView.ts'
import { addressText } from '../views/scalars.ts'
import { distinctKeys } from './distinctKeys.ts'
import { pickReader } from './pickReader.ts'

type Parts = Pick<V3Parts, 'points' | 'lists'>

/** What tokens among these addresses say of themselves, with the masters of jetton wallets, whatever the caller said of metadata. */
export const readMetadata = async (parts: Parts, addresses: Iterable<Uint8Array>): Promise<Metadata> => {
  const accounts = distinctKeys(addresses).filter(({ length }) => length === ADDRESS_KEY_BYTES)
  const reader = pickReader(parts, accounts.length)
  const wallets = await findHeldTokens(reader, accounts)
  const keys = distinctKeys([...accounts, ...wallets.map(({ jetton }) => jetton)])
  const [roles, found] = await Promise.all([findTokenRoles(reader, keys), findTokenMetadata(reader, keys)])
  const foundOf = new Map(found.map((each) => [roleKey(each), each]))
  const infos = new Map<string, TokenInfo[]>()
  const add = (address: Uint8Array, info: TokenInfo): void => {
    const text = addressText(address)
    const others = infos.get(text)
    if (others === undefined) infos.set(text, [info])
    else others.push(info)
  }
  for (const role of roles) add(role.address, toTokenInfo(role, foundOf.get(roleKey(role))))
  for (const wallet of wallets) add(wallet.address, toWalletInfo(wallet))
  return Object.fromEntries(
    [...infos].map(([text, token_info]) => [
      text,
      { is_indexed: token_info.every(({ valid }) => valid !== undefined), token_info },
    ]),
  )
}

const roleKey = ({ address, type }: Pick<TokenRole, 'address' | 'type'>): string => `${type} ${addressText(address)}`

const toWalletInfo = ({ owner, jetton, balance }: HeldToken): TokenInfo => ({
  valid: true,
  type: 'jetton_wallets',
  extra: { owner: addressText(owner), jetton: addressText(jetton), balance: String(balance) },
})

const toTokenInfo = ({ type, index }: TokenRole, found: FoundMetadata | undefined): TokenInfo => ({
  ...(found !== undefined && { valid: found.valid }),
  type,
  ...(found?.valid === true && toSaid(found)),
  ...(index !== undefined && { nft_index: String(index) }),
})

/** What the chain says went before what was found elsewhere when it was found out. Nobody here judges tokens. */
const toSaid = ({ name, symbol, description, image, extra }: FoundMetadata) => ({
  ...(name !== undefined && { name }),
  ...(symbol !== undefined && { symbol }),
  ...(description !== undefined && { description }),
  ...(image !== undefined && { image }),
  is_nsfw: false,
  is_scam: false,
  extra: { ...extra },
})
