// Table of constants: types that messages of many families are made of.
export const core = `
nothing_from_maybe$0 = Maybe X
something_from_maybe$1 value:X = Maybe X
first_from_either$0 value:X = Either X Y
second_from_either$1 value:Y = Either X Y
_ bit:(## 1) = Bit
_ _:Cell = Bytes

extra_currencies dict:(HashmapE 32 (VarUInteger 32)) = ExtraCurrencyCollection
currencies grams:Grams other:ExtraCurrencyCollection = CurrencyCollection

int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddress dest:MsgAddressInt value:CurrencyCollection
  ihr_fee:Grams fwd_fee:Grams created_lt:uint64 created_at:uint32 = CommonMsgInfoRelaxed
ext_out_msg_info$11 src:MsgAddress dest:MsgAddressExt created_lt:uint64 created_at:uint32 = CommonMsgInfoRelaxed
tick_tock tick:Bool tock:Bool = TickTock
_ fixed_prefix_length:(Maybe (## 5)) special:(Maybe TickTock) code:MaybeCell data:MaybeCell library:MaybeCell = StateInit
message info:CommonMsgInfoRelaxed init:(Maybe (Either StateInit ^StateInit)) body:(Either X ^X) = MessageRelaxed X

action_send_msg#0ec3c86d mode:(## 8) out_msg:^(MessageRelaxed Any) = OutAction
action_set_code#ad4de08e new_code:^Cell = OutAction
action_reserve_currency#36e6b809 mode:(## 8) currency:CurrencyCollection = OutAction
action_change_library#26fa1dd4 mode:(## 7) libref:LibRef = OutAction
libref_hash$0 lib_hash:bits256 = LibRef
libref_ref$1 library:^Cell = LibRef
`
