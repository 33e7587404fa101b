import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Cell } from '../../codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import type { ShardAccount } from '../../codec/tlb/ShardAccounts.ts'
import { type Address, formatRawAddress, parseAddress } from '../../primitives/Address.ts'
import { fromBase64, toBase64 } from '../../primitives/base64.ts'
import { fromHex, toHex } from '../../primitives/hex.ts'
import { ForkRecordError } from './ForkSource.ts'

/** A line of the file. Later lines count more than earlier ones. */
type Line =
  /** What the forked network has at an address: `null` is a proven absence. */
  | { readonly account: string; readonly found: { lt: string; hash: string; root: string; boc: string } | null }
  | { readonly library: string; readonly boc: string | null }
  /** The account is in our state since this masterchain block. */
  | { readonly imported: string; readonly seqno: number }
  /** The chain was reverted to this masterchain block. */
  | { readonly reverted: number }

export type AccountRecord = {
  readonly address: Address
  /** `undefined`: the forked network has no such account. */
  readonly found: ShardAccount | undefined
  /** The masterchain block of ours that has it first. */
  readonly importedAt: number | undefined
}

export type LibraryRecord = { readonly hash: Uint8Array; readonly library: Cell | undefined }

const FILE = 'fork.jsonl'

/**
 * Everything fetched from the forked network, in memory and in a file that only grows: a line that was cut short by the end of a
 * process is dropped, and its content is fetched again. The file is as trusted as the program.
 */
export class ForkRecords {
  private readonly path: string | undefined
  private readonly fetched = new Map<string, ShardAccount | undefined>()
  private readonly fetchedLibraries = new Map<string, Cell | undefined>()
  private readonly imported = new Map<string, number>()

  /** Without a folder nothing is stored. */
  constructor(folder: string | undefined) {
    this.path = folder === undefined ? undefined : join(folder, FILE)
    if (this.path !== undefined && existsSync(this.path)) this.load(this.path)
  }

  hasAccount(address: Address): boolean {
    return this.fetched.has(formatRawAddress(address))
  }

  findAccount(address: Address): ShardAccount | undefined {
    return this.fetched.get(formatRawAddress(address))
  }

  /** The masterchain block that brought the account into our state. */
  findImport(address: Address): number | undefined {
    return this.imported.get(formatRawAddress(address))
  }

  hasLibrary(hash: Uint8Array): boolean {
    return this.fetchedLibraries.has(toHex(hash))
  }

  findLibrary(hash: Uint8Array): Cell | undefined {
    return this.fetchedLibraries.get(toHex(hash))
  }

  listAccounts(): AccountRecord[] {
    return Array.from(this.fetched, ([key, found]) => ({
      address: parseAddress(key),
      found,
      importedAt: this.imported.get(key),
    }))
  }

  listLibraries(): LibraryRecord[] {
    return Array.from(this.fetchedLibraries, ([hash, library]) => ({ hash: fromHex(hash), library }))
  }

  addAccount(address: Address, found: ShardAccount | undefined): void {
    const account = formatRawAddress(address)
    this.fetched.set(account, found)
    this.write([{ account, found: found === undefined ? null : encodeAccount(found) }])
  }

  addLibrary(hash: Uint8Array, library: Cell | undefined): void {
    this.fetchedLibraries.set(toHex(hash), library)
    this.write([{ library: toHex(hash), boc: library === undefined ? null : toBase64(encodeBoc([library])) }])
  }

  addImports(addresses: readonly Address[], seqno: number): void {
    const lines = addresses.map((address) => ({ imported: formatRawAddress(address), seqno }))
    for (const { imported } of lines) this.imported.set(imported, seqno)
    this.write(lines)
  }

  /** Accounts imported after this block are not in the state any more. */
  revertTo(seqno: number): void {
    if (this.dropImports(seqno)) this.write([{ reverted: seqno }])
  }

  private dropImports(seqno: number): boolean {
    const later = [...this.imported].filter(([, at]) => at > seqno)
    for (const [key] of later) this.imported.delete(key)
    return later.length > 0
  }

  private write(lines: readonly Line[]): void {
    if (this.path === undefined) return
    mkdirSync(dirname(this.path), { recursive: true })
    appendFileSync(this.path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  }

  private load(path: string): void {
    const text = readFileSync(path, 'utf8')
    const whole = text.lastIndexOf('\n') + 1
    text
      .slice(0, whole)
      .split('\n')
      .forEach((line, at) => {
        if (line === '') return
        try {
          this.take(JSON.parse(line) as Line)
        } catch (cause) {
          throw new ForkRecordError(
            `Line ${at + 1} of ${path} is damaged. Remove the line to fetch its content again, or use --reset to create a new fork.`,
            { cause },
          )
        }
      })
    if (whole < text.length) truncateSync(path, Buffer.byteLength(text.slice(0, whole)))
  }

  private take(line: Line): void {
    if ('account' in line) this.fetched.set(line.account, line.found === null ? undefined : decodeAccount(line.found))
    else if ('library' in line) this.fetchedLibraries.set(line.library, line.boc === null ? undefined : open(line.boc))
    else if ('imported' in line) this.imported.set(line.imported, line.seqno)
    else this.dropImports(line.reverted)
  }
}

const open = (boc: string): Cell => decodeSingleBoc(fromBase64(boc))

const encodeAccount = ({ account, lastTransLt, lastTransHash }: ShardAccount) => ({
  lt: lastTransLt.toString(),
  hash: toHex(lastTransHash),
  root: toHex(account.hash()),
  boc: toBase64(encodeBoc([account])),
})

const decodeAccount = ({ lt, hash, root, boc }: ReturnType<typeof encodeAccount>): ShardAccount => {
  const account = open(boc)
  if (!account.hasHash(fromHex(root, 32))) throw new ForkRecordError('The cells have another hash.')
  return { account, lastTransLt: BigInt(lt), lastTransHash: fromHex(hash, 32) }
}
