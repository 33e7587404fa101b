/** How arguments are written and answers read, a paragraph each. */
export const argumentForms = [
  'Arguments are name=value words or one JSON object. Blocks: "(-1,8000000000000000,395):ROOTHASH:FILEHASH", a JSON object, or "last" for the newest masterchain block. Accounts: any form of address. Hashes: hex or base64. Bytes: hex, base64, or @ and the path of a file. Shards: 16 hex digits or a signed decimal number. Numbers: decimal or 0x and hex; method_id also takes the name of a get-method. Lists: commas between the values. The bits of mode that stand for an argument are set by giving it.',
  'The answer is JSON by the names of the TL schema: bytes and hashes in hex, shards in 16 hex digits, other 64-bit numbers as decimal text. Proofs in it are not checked. --raw prints its bytes instead, and takes the bytes of a function as hex in place of its name.',
  'Of several servers the first that answers is asked.',
]
