/** What is used of it: its types belong to those of the browser. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (
    module: object,
  ) => {
    readonly exports: { readonly memory: { readonly buffer: ArrayBuffer }; readonly hash: (blocks: number) => void }
  }
}

/** So many messages are hashed side by side: a SIMD register has a 32-bit word of each. */
export const LANES = 4

const BLOCK_BYTES = 64
const WORD_BYTES = 4
/** A register: one word of every lane. */
const REGISTER_BYTES = LANES * WORD_BYTES
const BLOCK_WORDS = 16
const STATE_WORDS = 8
const ROUNDS = 64
/** The bit behind the message and its length. */
const PADDING_BYTES = 9

/** The longest message: more than a cell has, which is 266 bytes. */
const MAX_BLOCKS = 5
export const MAX_LANE_BYTES = MAX_BLOCKS * BLOCK_BYTES - PADDING_BYTES

/** Where what stands in the memory of the module: messages, their digests after each block, constants. */
export const LANE_STRIDE = MAX_BLOCKS * BLOCK_BYTES
const DIGESTS = LANES * LANE_STRIDE
const STATE_BYTES = STATE_WORDS * REGISTER_BYTES
const START = DIGESTS + MAX_BLOCKS * STATE_BYTES
const CONSTANTS = START + STATE_BYTES

const listPrimes = (count: number): number[] => {
  const primes: number[] = []
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n)
  return primes
}

/** The standard defines its constants so: the first 32 fractional bits of the roots of the first primes. */
const fractionOf = (root: number): number => ((root % 1) * 2 ** 32) | 0
const startWords = (): number[] => listPrimes(STATE_WORDS).map((prime) => fractionOf(Math.sqrt(prime)))
const roundWords = (): number[] => listPrimes(ROUNDS).map((prime) => fractionOf(Math.cbrt(prime)))

const unsigned = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]

const signed = (value: number): number[] => {
  const isLast = value >> 6 === 0 || value >> 6 === -1
  return isLast ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)]
}

/** Writes the instructions of WebAssembly that are used here. */
class Assembler {
  readonly code: number[] = []

  #put(...bytes: number[]): this {
    this.code.push(...bytes)
    return this
  }

  loop = () => this.#put(0x03, 0x40)
  branchIf = (depth: number) => this.#put(0x0d, depth)
  end = () => this.#put(0x0b)
  get = (local: number) => this.#put(0x20, local)
  set = (local: number) => this.#put(0x21, local)
  tee = (local: number) => this.#put(0x22, local)
  constant = (value: number) => this.#put(0x41, ...signed(value))
  addInteger = () => this.#put(0x6a)
  load = (offset: number) => this.#put(0xfd, 0x00, 0x04, ...unsigned(offset))
  store = (offset: number) => this.#put(0xfd, 0x0b, 0x04, ...unsigned(offset))
  shuffle = (bytes: readonly number[]) => this.#put(0xfd, 0x0d, ...bytes)
  and = () => this.#put(0xfd, 0x4e)
  xor = () => this.#put(0xfd, 0x51)
  shiftLeft = () => this.#put(0xfd, 0xab, 0x01)
  shiftRight = () => this.#put(0xfd, 0xad, 0x01)
  add = () => this.#put(0xfd, 0xae, 0x01)
}

// Local variables of the function: how many blocks are left, where the next one is and where the digest after it goes, then registers.
const LEFT = 0
const AT = 1
const OUT = 2
const HASH = 3
const STATE = HASH + STATE_WORDS
const WORDS = STATE + STATE_WORDS
const SCRATCH = WORDS + BLOCK_WORDS
const REGISTERS = SCRATCH + 6 - HASH

/** The bytes of four words in reverse: the words of a message begin with their highest byte. */
const SWAP = Array.from({ length: REGISTER_BYTES }, (_, k) => (k & ~3) + 3 - (k & 3))

/** Takes words of two registers, those of the second counted from 4 on. */
const bytesOfWords = (words: readonly number[]): number[] =>
  words.flatMap((word) => [0, 1, 2, 3].map((k) => WORD_BYTES * word + k))

const LOW = bytesOfWords([0, 4, 1, 5])
const HIGH = bytesOfWords([2, 6, 3, 7])
const FIRST_HALVES = bytesOfWords([0, 1, 4, 5])
const SECOND_HALVES = bytesOfWords([2, 3, 6, 7])

const [A, B, C, D, E, F, G, H] = [0, 1, 2, 3, 4, 5, 6, 7] as const
const [SUM, CHANGED, CHANGED_BEFORE] = [SCRATCH, SCRATCH + 1, SCRATCH + 2]

/** The function: hashes so many blocks of all lanes, and writes the digests after each of them. */
class HashFunction extends Assembler {
  write(): readonly number[] {
    for (let word = 0; word < STATE_WORDS; word++) {
      this.constant(0)
        .load(START + word * REGISTER_BYTES)
        .set(HASH + word)
    }
    this.loop()
    for (let word = 0; word < STATE_WORDS; word++) this.get(HASH + word).set(STATE + word)
    for (let first = 0; first < BLOCK_WORDS; first += LANES) this.#loadWords(first)
    this.get(STATE + B)
      .get(STATE + C)
      .xor()
      .set(CHANGED_BEFORE)
    for (let round = 0; round < ROUNDS; round++) {
      if (round >= BLOCK_WORDS) this.#extendWords(round)
      this.#runRound(round)
    }
    for (let word = 0; word < STATE_WORDS; word++) this.#addAndWrite(word)
    this.get(AT).constant(BLOCK_BYTES).addInteger().set(AT)
    this.get(OUT).constant(STATE_BYTES).addInteger().set(OUT)
    this.get(LEFT).constant(-1).addInteger().tee(LEFT).branchIf(0)
    this.end().end()
    return this.code
  }

  /** Loads four words of each lane and turns them around: from a register of each lane to one of each word. */
  #loadWords(first: number): void {
    for (let lane = 0; lane < LANES; lane++) {
      this.get(AT).load(lane * LANE_STRIDE + WORD_BYTES * first)
      this.tee(SCRATCH + lane)
        .get(SCRATCH + lane)
        .shuffle(SWAP)
        .set(SCRATCH + lane)
    }
    const [lane0, lane1, lane2, lane3, upper, lower] = [0, 1, 2, 3, 4, 5].map((k) => SCRATCH + k) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ]
    const pair = (a: number, b: number, bytes: readonly number[], target: number) =>
      this.get(a).get(b).shuffle(bytes).set(target)
    for (const [half, target] of [
      [LOW, WORDS + first],
      [HIGH, WORDS + first + 2],
    ] as const) {
      pair(lane0, lane1, half, upper)
      pair(lane2, lane3, half, lower)
      pair(upper, lower, FIRST_HALVES, target)
      pair(upper, lower, SECOND_HALVES, target + 1)
    }
  }

  /** The sum, bit by bit, of a register rotated to the right in some ways, and shifted in another. */
  #mix(local: number, rotations: readonly number[], shift?: number): this {
    for (const [k, by] of rotations.entries()) {
      this.get(local).constant(by).shiftRight()
      if (k > 0) this.xor()
      this.get(local)
        .constant(32 - by)
        .shiftLeft()
        .xor()
    }
    return shift === undefined ? this : this.get(local).constant(shift).shiftRight().xor()
  }

  /** Works out the word of a round from those of earlier rounds, in the place of the one that nobody needs any more. */
  #extendWords(round: number): void {
    this.get(wordAt(round))
    this.#mix(wordAt(round + 1), [7, 18], 3).add()
    this.get(wordAt(round + 9)).add()
    this.#mix(wordAt(round + 14), [17, 19], 10).add()
    this.set(wordAt(round))
  }

  /** One round. The names of the state move on by one, so that no register has to. */
  #runRound(round: number): void {
    const at = (name: number): number => STATE + ((name - round + ROUNDS) % STATE_WORDS)
    // h + the sum of e + (e ? f : g) + constant + word
    this.get(at(H))
    this.#mix(at(E), [6, 11, 25]).add()
    this.get(at(F)).get(at(G)).xor().get(at(E)).and().get(at(G)).xor().add()
    this.constant(0).load(CONSTANTS + round * REGISTER_BYTES)
    this.get(wordAt(round)).add().add().tee(SUM)
    this.get(at(D)).add().set(at(D))
    // The majority of a, b and c. Where a and b differ is where b and c will in the next round.
    this.get(at(A)).get(at(B)).xor().tee(CHANGED).get(CHANGED_BEFORE).and().get(at(B)).xor()
    this.#mix(at(A), [2, 13, 22]).add()
    this.get(SUM).add().set(at(H))
    this.get(CHANGED).set(CHANGED_BEFORE)
  }

  #addAndWrite(word: number): void {
    this.get(OUT)
    this.get(HASH + word)
      .get(STATE + word)
      .add()
      .tee(HASH + word)
    this.get(HASH + word)
      .shuffle(SWAP)
      .store(DIGESTS + word * REGISTER_BYTES)
  }
}

const wordAt = (round: number): number => WORDS + (round % BLOCK_WORDS)

const I32 = 0x7f
const V128 = 0x7b
const FUNCTION = 0x60

/** One item, with the number of items and the length before it. */
const section = (id: number, ...item: readonly number[]): number[] => [id, ...unsigned(item.length + 1), 1, ...item]

const exported = (name: string, kind: number): number[] => [name.length, ...Buffer.from(name), kind, 0]

const makeModule = (): Uint8Array => {
  const locals = [2, 2, I32, ...unsigned(REGISTERS), V128]
  const code = new HashFunction().write()
  const exports = [2, ...exported('memory', 2), ...exported('hash', 0)]
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, FUNCTION, 1, I32, 0),
    ...section(3, 0),
    ...section(5, 0, 1),
    ...[7, ...unsigned(exports.length), ...exports],
    ...section(10, ...unsigned(locals.length + code.length), ...locals, ...code),
  ])
}

/**
 * SHA-256 of up to four short messages at a time, as cells are. To call the one of OpenSSL takes longer than the work itself for so short
 * ones, and where the processor has no instructions for it, four side by side take about as long as one.
 */
export class Sha256Lanes {
  /** Messages are put here, that of each lane from its multiple of {@link LANE_STRIDE} on. */
  readonly bytes: Uint8Array
  /** The same memory. */
  readonly view: DataView
  readonly #hash: (blocks: number) => void

  constructor() {
    const { memory, hash } = new WebAssembly.Instance(new WebAssembly.Module(makeModule())).exports
    const { buffer } = memory
    this.bytes = new Uint8Array(buffer)
    this.view = new DataView(buffer)
    this.#hash = hash
    const words = new Int32Array(buffer)
    const spread = (at: number, values: readonly number[]): void => {
      for (const [k, value] of values.entries()) {
        const first = at / WORD_BYTES + k * LANES
        words.fill(value, first, first + LANES)
      }
    }
    spread(START, startWords())
    spread(CONSTANTS, roundWords())
  }

  /** Ends the message of a lane, which has so many bytes; says how many blocks that makes. */
  end(lane: number, length: number): number {
    const { bytes } = this
    const start = lane * LANE_STRIDE
    const blocks = Math.ceil((length + PADDING_BYTES) / BLOCK_BYTES)
    const end = start + blocks * BLOCK_BYTES
    bytes[start + length] = 0x80
    for (let at = start + length + 1; at < end - 2; at++) bytes[at] = 0
    bytes[end - 2] = length >> 5
    bytes[end - 1] = length << 3
    return blocks
  }

  /** Hashes so many blocks of every lane, which is as many as the longest message has. */
  hash(blocks: number): void {
    this.#hash(blocks)
  }

  /** Copies the digest of a message with so many blocks. */
  copyDigest(lane: number, blocks: number, out: DataView, outAt: number): void {
    const from = DIGESTS + (blocks - 1) * STATE_BYTES + lane * WORD_BYTES
    for (let word = 0; word < STATE_WORDS; word++) {
      out.setInt32(outAt + word * WORD_BYTES, this.view.getInt32(from + word * REGISTER_BYTES))
    }
  }
}
