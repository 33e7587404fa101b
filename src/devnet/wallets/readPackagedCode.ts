import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Cell } from '../../codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { BocError } from '../../codec/cell/errors.ts'
import { WalletCodeError } from './errors.ts'

/** A bag of cells in base64 or hexadecimal digits, between quotes. */
const QUOTED_BOC = /["'`](?:(?<base64>te6cc[\w+/=-]+)|(?<hex>b5ee9c72[0-9a-f]+))["'`]/gi

/**
 * Finds a code by its hash in a file of a package. The file is read and not run: running it would load the rest of the package
 * and take a hundred times as long, and the hash leaves no doubt that this is the code which is meant.
 */
export const readPackagedCode = (fileUrl: string, hash: Uint8Array): Cell => {
  for (const boc of findBocs(fileUrl)) {
    const code = tryDecode(boc)
    if (code?.hasHash(hash)) return code
  }
  throw new WalletCodeError(
    `The code of a wallet was expected in ${fileUrl}, and is not there. Is the installation whole?`,
  )
}

const findBocs = (fileUrl: string): Uint8Array[] => {
  try {
    const text = readFileSync(fileURLToPath(fileUrl), 'latin1')
    return [...text.matchAll(QUOTED_BOC)].map(({ groups }) => {
      const { base64, hex } = groups as { base64?: string; hex?: string }
      return base64 === undefined ? Buffer.from(hex!, 'hex') : Buffer.from(base64, 'base64')
    })
  } catch (cause) {
    throw new WalletCodeError(`The file ${fileUrl} with the code of a wallet cannot be read.`, { cause })
  }
}

const tryDecode = (boc: Uint8Array): Cell | undefined => {
  try {
    return decodeSingleBoc(boc)
  } catch (error) {
    if (error instanceof BocError) return undefined
    throw error
  }
}
