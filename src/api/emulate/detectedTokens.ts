import type { RunMethod } from '../../contracts/getMethods.ts'
import { findToken, type TokenFacts } from '../../contracts/tokens/findToken.ts'
import type { TokenContent } from '../../contracts/tokens/tokenContent.ts'
import { formatUpperRawAddress, parseAddressKey } from '../../primitives/Address.ts'
import { readTexts } from '../core/json/stringifyJson.ts'
import { distinctKeys } from '../v3/hydrate/hydrate.ts'
import type { Metadata, TokenInfo } from '../v3/views/addressBook.ts'
import { addressText } from '../v3/views/scalars.ts'

/** Metadata of tokens that the index does not know, such as those that a trace deploys: what their contracts say. */
export const addDetectedTokens = async (
  indexed: Metadata,
  accounts: readonly Uint8Array[],
  run: RunMethod,
): Promise<Metadata> => {
  const metadata = { ...(readTexts(indexed) as Metadata) }
  for (const key of distinctKeys(accounts)) {
    const address = parseAddressKey(key)
    const text = addressText(key)
    if (metadata[text] !== undefined || typeof address === 'string') continue
    const token = await findToken(run, address)
    if (token !== undefined) metadata[text] = { is_indexed: false, token_info: [toTokenInfo(token)] }
  }
  return metadata
}

const toTokenInfo = (token: TokenFacts): TokenInfo => {
  switch (token.kind) {
    case 'jettonMaster':
      return { valid: true, type: 'jetton_masters', ...shownContent(token.content) }
    case 'nftCollection':
      return { valid: true, type: 'nft_collections', ...shownContent(token.content) }
    case 'nftItem':
      return { valid: true, type: 'nft_items', ...shownContent(token.content), nft_index: String(token.index) }
    case 'jettonWallet': {
      const { owner, master, balance } = token
      const extra = {
        owner: formatUpperRawAddress(owner),
        jetton: formatUpperRawAddress(master),
        balance: String(balance),
      }
      return { valid: true, type: 'jetton_wallets', extra }
    }
  }
}

const shownContent = (content: TokenContent): Partial<TokenInfo> => {
  if (content.kind === 'offChain') return { extra: { uri: content.uri } }
  const { name, symbol, description, image, ...extra } = content.texts as Readonly<Record<string, string>>
  return {
    ...(name !== undefined && { name }),
    ...(symbol !== undefined && { symbol }),
    ...(description !== undefined && { description }),
    ...(image !== undefined && { image }),
    ...(Object.keys(extra).length > 0 && { extra }),
  }
}
