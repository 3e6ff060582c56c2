import { compareText } from '../../protocol/json/canonical.ts'
import { sha256 } from '../../protocol/text/sha256.ts'
import { keyIdOf } from './key-id.ts'
import type { PublicKey } from './trust.ts'

/** Two people compare these words by voice, one per byte. They never change, or old and new daemons would differ. */
const WORDS = `
acorn agate alder almond amber anchor anvil apple apron arrow aspen atlas autumn badge bagel baker bamboo
banjo barley barn basil basin basket beacon beaver bench berry birch bishop bison blanket boat bonnet
bottle boulder branch brass bread breeze brick bridge brook brush bucket button cabin cactus camel candle
canoe canyon carpet carrot castle cedar cello chalk cherry chess chimney cider circus clay cliff clock
cloud clover cobalt cocoa comet compass copper coral cotton cove cradle crane crater crayon creek cricket
crown crystal curtain cymbal daisy desert dolphin donkey dragon drum dune eagle easel echo elbow elder
ember emerald engine falcon farmer feather fern ferry fiddle field finch flute forest fossil fountain fox
galaxy garden garlic gate gecko ginger glacier glove goblet goose granite grape gravel guitar hammer harbor
harp hazel hedge heron hill honey horizon hornet igloo indigo island ivory jacket jaguar jasmine jewel
jungle kayak kettle kite kiwi ladder lagoon lantern lark lemon lentil lilac linen lion lizard llama lobster
lotus lunar magnet mango maple marble meadow melon mirror mitten monkey moss mulberry museum mustard napkin
nectar needle nest nickel north nutmeg oak oasis ocean olive onion opal orbit orchid otter owl oyster
paddle panda parrot peach pear pebble pelican pepper pigeon pillow pine planet plum pocket pond poppy
prairie pumpkin puzzle quarry quartz quill rabbit raven reef ribbon river robin rocket rooster rose saddle
saffron salmon sandal sapphire scarf shell silver spider spruce squash statue summer sunset swan thistle
tiger timber topaz trumpet tulip tundra turtle velvet violet vulture wagon walnut willow zebra`
  .trim()
  .split(/\s+/)

const WORD_COUNT = 6

/** Six words, equal at both ends of a pairing, and different if one of the keys differs. */
export function fingerprintOf(one: PublicKey, other: PublicKey): string {
  const ids = [keyIdOf(one), keyIdOf(other)].sort(compareText)
  const bytes = sha256(ids.join(' ')).match(/../g) ?? []
  return bytes
    .slice(0, WORD_COUNT)
    .map((byte) => WORDS[Number.parseInt(byte, 16)])
    .join(' ')
}
