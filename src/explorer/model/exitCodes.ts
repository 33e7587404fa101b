const compute: { readonly [code: number]: string } = {
  0: 'success',
  1: 'success, the other way to say it',
  2: 'stack underflow: an instruction found too few values',
  3: 'stack overflow: too many values were kept',
  4: 'integer overflow, or a division by zero',
  5: 'a number is out of the range that was expected',
  6: 'there is no such instruction',
  7: 'a value has the wrong type',
  8: 'cell overflow: more was written than fits into a cell',
  9: 'cell underflow: more was read than a cell holds',
  10: 'a dictionary is broken',
  11: 'the contract knows no such method, or failed without saying why',
  12: 'fatal error of the virtual machine',
  13: 'out of gas',
  14: 'a pruned cell was read',
  [-14]: 'out of gas',
  65535: 'the contract does not know this message',
}

const action: { readonly [code: number]: string } = {
  0: 'success',
  32: 'the list of actions is malformed',
  33: 'there are more than 255 actions',
  34: 'an action is malformed or unknown',
  35: 'a message names a sender that is not the contract',
  36: 'a message goes to an address that cannot be reached',
  37: 'not enough coins for what was to be sent',
  38: 'not enough of an extra currency for what was to be sent',
  39: 'a message does not fit into a cell once it is rewritten',
  40: 'a message cannot be paid for, or is too large',
  41: 'a library is missing',
  42: 'a library could not be changed',
  43: 'libraries are too large, or too many',
  50: 'the account would become too large',
}

const skipped: { readonly [reason: string]: string } = {
  no_state: 'the account has no code',
  bad_state: 'the code that came with the message is not that of the account',
  no_gas: 'too few coins to pay for any gas',
  suspended: 'the account is suspended',
}

const ofContract = 'an error that the contract itself defines'

/** In words, whatever the virtual machine ended with. */
export const explainExit = (code: number): string => compute[code] ?? ofContract

export const explainResult = (code: number): string => action[code] ?? ofContract

export const explainSkip = (reason: string): string => skipped[reason] ?? reason
