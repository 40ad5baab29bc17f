/** What a question about the user asks for. */
export interface Topic {
  readonly asked: RegExp;
  /** Statements that answer such a question. */
  readonly told: RegExp;
  /** Statements that do so only if no other does. */
  readonly lesser?: RegExp;
}

const FUTURE = /\b(?:will|going to|plan(?:s|ning)? to|next (?:week|month|year|summer|winter)|want to|would like|hope to|moving to)\b/i;
const PAST = /\b(?:used to|no longer|lived|worked|was|were|once|before)\b/i;
const PAST_OR_FUTURE = new RegExp(`${PAST.source}|${FUTURE.source}`, 'i');

const AGE: Topic = {
  asked: /\bhow old\b|\bmy age\b/i,
  told: /\b(?:am|is|are|'m|'s|'re|turn(?:ed|s)?|turning|aged?|be) (?:now |already |just |almost |only )?\d{1,3}\b(?! (?:%|percent|euros?|dollars?|kg|km|cm|meters?|metres?|minutes?|hours?))|\byears old\b|\bborn in (?:19|20)\d\d|\bin my (?:\w+ )?(?:teens|\w+ties)\b/i,
};

const HOME: Topic = {
  asked:
    /\bwhere\b.*\b(?:live|lives|living|reside|home|based|move|moved|stay|staying)\b|\b(?:which|what) (?:city|town|country|place|village|street|part)\b.*\b(?:live|lives|in|move)\b|\b(?:my|our) (?:home|address|city|town)\b/i,
  told: /\b(?:lives?|living|lived|moved?|moving|relocated|resides?|based in|settled|staying in|home is|address is|home in|(?:flat|apartment|house) in)\b/i,
  lesser: PAST_OR_FUTURE,
};

/** Names of others; the user's own is found apart. */
export const NAMES: Topic = {
  asked: /\b(?:called|named?|names)\b/i,
  told: /\b(?:called|named|names?|name's)\b|(?<=\p{L}[,\p{L}'’]* )\p{Lu}\p{Ll}+/u,
};

/** Topics of which only the newest statement holds. */
export const SINGULAR: readonly Topic[] = [AGE, HOME];

/** In this order; the first that asks decides. */
export const TOPICS: readonly Topic[] = [
  {
    asked: /\b(?:birthday|date of birth|birth date)\b|\bwhen (?:was|were) (?:i|we|my \w+|our \w+) born\b/i,
    told: /\bbirthday\b|\bborn (?:on|in (?:\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))/i,
  },
  AGE,
  {
    asked: /\b(?:allerg\w*|intolerant)\b/i,
    told: /\b(?:allerg\w*|intolerant|intolerance)\b/i,
  },
  {
    asked:
      /\bwhere\b.*\b(?:from|born|grow up|grew up|raised)\b|\b(?:which|what) (?:country|city|town) .*\bfrom\b|\b(?:nationality|home ?town)\b/i,
    told: /\b(?:from|born in|grew up|raised|native|nationality|home ?town)\b|(?:\b[Aa]m|'m|\bis|\bare) (?:an? )?\p{Lu}\p{Ll}+(?:ish|ese|an|ch)\b/u,
    lesser: /\bfrom (?:work|school|home|the)\b/i,
  },
  HOME,
  {
    asked:
      /\b(?:job|profession|occupation|for (?:a|my|his|her|their) living|employed|employer|career|work)\b|\bwhat (?:do|does|am|is) (?:i|we|my (?:\w+ )?\w+|our \w+) (?:do|doing)\b\s*\??$/i,
    told: /\b(?:work|works|working|job|employed|profession|teach|teaches|run a|own a (?:shop|company|business)|self-employed|retired|unemployed|studying|study|studies)\b|\b(?:am|'m|is|became|as) an? (?!(?:\w+ )?(?:vegetarian|vegan|fan|person|man|woman|boy|girl|bit|lot|little|member|friend|father|mother|dad|mom|parent|beginner|cat|dog|red|good|great|big|small|new|old)\b)(?:\w+ )?\w+/i,
    lesser: PAST_OR_FUTURE,
  },
  NAMES,
  {
    asked: /\b(?:hate|dislike|detest|not like|don't like|can't stand)\b/i,
    told: /\b(?:hate|dislike|detest|don't (?:really )?(?:like|enjoy)|do not (?:like|enjoy)|can't stand|cannot stand)\b/i,
  },
  {
    asked:
      /\b(?:hobby|hobbies|interests?|free time|spare time|for fun|pastimes?|passions?)\b|\bwhat (?:do |else do )?(?:i|we) (?:really )?(?:like|love|enjoy)\b/i,
    told: /\b(?:love|like|enjoy|hobby|hobbies|fond of|fan of|play|keen on|interested in|passion|free time|spare time|collect|into)\b/i,
    lesser: /\b(?:don't|do not|never|hate|would like|'d like)\b/i,
  },
];
