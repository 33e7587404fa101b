// tonutils-go on the liteserver, with its proofs checked.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"strings"
	"time"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/liteclient"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/ton/dns"
	"github.com/xssnick/tonutils-go/ton/jetton"
	"github.com/xssnick/tonutils-go/ton/nft"
	"github.com/xssnick/tonutils-go/ton/wallet"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

type account struct {
	Address  string `json:"address"`
	Mnemonic string `json:"mnemonic"`
	Balance  uint64 `json:"balance"`
}

type networkFile struct {
	Config     string  `json:"config"`
	Wallet     account `json:"wallet"`
	Receiver   string  `json:"receiver"`
	Elector    string  `json:"elector"`
	Nobody     string  `json:"nobody"`
	Jetton     string  `json:"jetton"`
	Owner      string  `json:"owner"`
	Collection string  `json:"collection"`
	Echo       string  `json:"echo"`
	Domain     string  `json:"domain"`
}

const comment = "for the tea"

var network networkFile
var api ton.APIClientWrapped
var ctx context.Context

func main() {
	text, err := os.ReadFile(os.Getenv("CLIENT_NETWORK"))
	if err == nil {
		err = json.Unmarshal(text, &network)
	}
	if err != nil {
		panic(err)
	}
	config, err := liteclient.GetConfigFromFile(network.Config)
	if err != nil {
		panic(err)
	}
	client := liteclient.NewConnectionPool()
	if err = client.AddConnectionsFromConfig(context.Background(), config); err != nil {
		panic(err)
	}
	api = ton.NewAPIClient(client, ton.ProofCheckPolicySecure).WithRetry(3)
	api.SetTrustedBlockFromConfig(config)
	ctx = client.StickyContext(context.Background())

	run("the newest block, with its proof chain from the zerostate", checkHead)
	run("blocks, shards and their transactions", checkBlocks)
	run("account states, with proofs", checkAccounts)
	run("a wallet is deployed by its first payment, pays with a comment and waits for its transaction", checkWallet)
	run("transactions of an account, and a subscription to them", checkHistory)
	run("get-methods take and give values", checkMethods)
	run("get-methods take and give numbers below -2^63", checkLargeNegative)
	run("the configuration, with proofs", checkConfig)
	run("a jetton", checkJetton)
	run("an NFT collection and its items", checkCollection)
	run("a DNS name", checkName)
	run("a library that does not exist", checkLibraries)
	run("refusals arrive as such", checkRefusals)
}

func run(name string, check func() error) {
	failure := guard(check)
	if failure == nil {
		fmt.Printf("check\tpassed\t%s\n", name)
	} else {
		fmt.Printf("check\tfailed\t%s\t%s\n", name, strings.Join(strings.Fields(failure.Error()), " "))
	}
}

// A panic of the library fails one check, not all.
func guard(check func() error) (failure error) {
	defer func() {
		if thrown := recover(); thrown != nil {
			failure = fmt.Errorf("panic: %v", thrown)
		}
	}()
	return check()
}

func expect(condition bool, format string, values ...any) error {
	if condition {
		return nil
	}
	return fmt.Errorf(format, values...)
}

func checkHead() error {
	head, err := api.GetMasterchainInfo(ctx)
	if err != nil {
		return err
	}
	if _, err = api.GetTime(ctx); err != nil {
		return err
	}
	return expect(head.SeqNo > 1, "the head is %d", head.SeqNo)
}

func checkBlocks() error {
	head, err := api.CurrentMasterchainInfo(ctx)
	if err != nil {
		return err
	}
	found, err := api.LookupBlock(ctx, head.Workchain, head.Shard, head.SeqNo)
	if err != nil {
		return err
	}
	if err = expect(found.Equals(head), "looked up %v", found); err != nil {
		return err
	}
	shards, err := api.GetBlockShardsInfo(ctx, head)
	if err != nil {
		return err
	}
	for _, block := range append(shards, head) {
		data, err := api.GetBlockData(ctx, block)
		if err != nil {
			return err
		}
		if err = expect(data.BlockInfo.SeqNo == block.SeqNo, "block %d", data.BlockInfo.SeqNo); err != nil {
			return err
		}
		ids, _, err := api.WaitForBlock(head.SeqNo).GetBlockTransactionsV2(ctx, block, 100)
		if err != nil {
			return err
		}
		for _, id := range ids {
			owner := address.NewAddress(0, byte(block.Workchain), id.Account)
			if _, err = api.GetTransaction(ctx, block, owner, id.LT); err != nil {
				return err
			}
		}
	}
	return nil
}

func accountOf(text string) (*tlb.Account, error) {
	head, err := api.GetMasterchainInfo(ctx)
	if err != nil {
		return nil, err
	}
	return api.GetAccount(ctx, head, address.MustParseAddr(text))
}

func checkAccounts() error {
	elector, err := accountOf(network.Elector)
	if err != nil {
		return err
	}
	if err = expect(elector.IsActive && elector.State.Balance.Nano().Sign() > 0, "the elector is %v", elector.State); err != nil {
		return err
	}
	nobody, err := accountOf(network.Nobody)
	if err != nil {
		return err
	}
	return expect(!nobody.IsActive, "nobody is active")
}

func checkWallet() error {
	own, err := wallet.FromSeed(api, strings.Split(network.Wallet.Mnemonic, " "), wallet.V4R2)
	if err != nil {
		return err
	}
	same := own.WalletAddress().Equals(address.MustParseAddr(network.Wallet.Address))
	if err = expect(same, "the wallet is %s", own.WalletAddress()); err != nil {
		return err
	}
	for k := 1; k <= 2; k++ {
		if k > 1 {
			// It reads the seqno at a block that it remembers for five seconds, in which this network makes many.
			time.Sleep(6 * time.Second)
		}
		message, err := own.BuildTransfer(address.MustParseAddr(network.Receiver), tlb.MustFromTON("1"), false, comment)
		if err != nil {
			return err
		}
		limited, cancel := context.WithTimeout(ctx, time.Minute)
		transaction, block, err := own.SendWaitTransaction(limited, message)
		cancel()
		if err != nil {
			return err
		}
		if err = expect(transaction.OutMsgCount == 1, "%d messages", transaction.OutMsgCount); err != nil {
			return err
		}
		if _, err = own.GetBalance(ctx, block); err != nil {
			return err
		}
	}
	return nil
}

func checkHistory() error {
	receiver := address.MustParseAddr(network.Receiver)
	transactions := make(chan *tlb.Transaction)
	limited, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	go api.SubscribeOnTransactions(limited, receiver, 0, transactions)
	for k := 0; k < 2; k++ {
		select {
		case transaction := <-transactions:
			message := transaction.IO.In.AsInternal()
			if err := expect(message.Comment() == comment, "the comment is %s", message.Comment()); err != nil {
				return err
			}
		case <-limited.Done():
			return fmt.Errorf("%d of 2 transactions arrived", k)
		}
	}
	state, err := accountOf(network.Receiver)
	if err != nil {
		return err
	}
	list, err := api.ListTransactions(ctx, receiver, 10, state.LastTxLT, state.LastTxHash)
	if err != nil {
		return err
	}
	return expect(len(list) == 2 && list[0].LT < list[1].LT, "%d transactions", len(list))
}

func call(text, method string, params ...any) (*ton.ExecutionResult, error) {
	head, err := api.GetMasterchainInfo(ctx)
	if err != nil {
		return nil, err
	}
	return api.WaitForBlock(head.SeqNo).RunGetMethod(ctx, head, address.MustParseAddr(text), method, params...)
}

func checkMethods() error {
	number := new(big.Int).Lsh(big.NewInt(1), 200)
	given := cell.BeginCell().MustStoreUInt(7, 8).EndCell()
	result, err := call(network.Echo, "echo", number, given, []any{big.NewInt(1), given})
	if err != nil {
		return err
	}
	back, err := result.Int(0)
	if err != nil {
		return err
	}
	if err = expect(back.Cmp(number) == 0, "the number is %s", back); err != nil {
		return err
	}
	returned, err := result.Cell(1)
	if err != nil {
		return err
	}
	if err = expect(bytes.Equal(returned.Hash(), given.Hash()), "the cell is %s", returned.Dump()); err != nil {
		return err
	}
	tuple, err := result.Tuple(2)
	if err != nil {
		return err
	}
	return expect(len(tuple) == 2, "a tuple of %d", len(tuple))
}

func checkLargeNegative() error {
	// It changes the number that it is given.
	number := func() *big.Int { return new(big.Int).Neg(new(big.Int).Lsh(big.NewInt(1), 200)) }
	result, err := call(network.Echo, "echo", number())
	if err != nil {
		return err
	}
	back, err := result.Int(0)
	if err != nil {
		return err
	}
	return expect(back.Cmp(number()) == 0, "the number is %s", back)
}

func checkConfig() error {
	head, err := api.GetMasterchainInfo(ctx)
	if err != nil {
		return err
	}
	whole, err := api.GetBlockchainConfig(ctx, head)
	if err != nil {
		return err
	}
	if err = expect(whole.Get(34) != nil, "no validators"); err != nil {
		return err
	}
	some, err := api.GetBlockchainConfig(ctx, head, 0, 8)
	if err != nil {
		return err
	}
	return expect(some.Get(8) != nil && some.Get(34) == nil, "%d parameters", len(some.All()))
}

func checkJetton() error {
	master := jetton.NewJettonMasterClient(api, address.MustParseAddr(network.Jetton))
	data, err := master.GetJettonData(ctx)
	if err != nil {
		return err
	}
	content, isOnchain := data.Content.(*nft.ContentOnchain)
	if err = expect(isOnchain && content.GetAttribute("symbol") == "DEMO", "the content is %v", data.Content); err != nil {
		return err
	}
	tokens, err := master.GetJettonWallet(ctx, address.MustParseAddr(network.Owner))
	if err != nil {
		return err
	}
	balance, err := tokens.GetBalance(ctx)
	if err != nil {
		return err
	}
	return expect(balance.Sign() > 0, "the balance is %s", balance)
}

func checkCollection() error {
	collection := nft.NewCollectionClient(api, address.MustParseAddr(network.Collection))
	data, err := collection.GetCollectionData(ctx)
	if err != nil {
		return err
	}
	if err = expect(data.NextItemIndex.Sign() > 0, "no items"); err != nil {
		return err
	}
	where, err := collection.GetNFTAddressByIndex(ctx, big.NewInt(0))
	if err != nil {
		return err
	}
	item, err := nft.NewItemClient(api, where).GetNFTData(ctx)
	if err != nil {
		return err
	}
	if err = expect(item.Initialized && item.OwnerAddress != nil, "the item is %v", item); err != nil {
		return err
	}
	_, err = collection.GetNFTContent(ctx, item.Index, item.Content)
	return err
}

func checkName() error {
	root, err := dns.GetRootContractAddr(ctx, api)
	if err != nil {
		return err
	}
	domain, err := dns.NewDNSClient(api, root).Resolve(ctx, network.Domain)
	if err != nil {
		return err
	}
	return expect(domain.GetWalletRecord() != nil, "no wallet")
}

func checkLibraries() error {
	found, err := api.GetLibraries(ctx, bytes.Repeat([]byte{1}, 32))
	if err != nil {
		return err
	}
	return expect(len(found) == 1 && found[0] == nil, "found %v", found)
}

func checkRefusals() error {
	if _, err := call(network.Jetton, "no_such_method"); err == nil {
		return fmt.Errorf("the method was not refused")
	}
	err := api.SendExternalMessage(ctx, &tlb.ExternalMessage{
		DstAddr: address.MustParseAddr(network.Jetton),
		Body:    cell.BeginCell().EndCell(),
	})
	return expect(err != nil, "the message was not refused")
}
