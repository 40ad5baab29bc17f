declare module 'stopword' {
  type Words = readonly string[];
  export const ara: Words, ces: Words, dan: Words, deu: Words, ell: Words, eng: Words, fin: Words, fra: Words, heb: Words, hin: Words;
  export const hun: Words, ind: Words, ita: Words, jpn: Words, kor: Words, lit: Words, nld: Words, nob: Words, pol: Words, por: Words;
  export const ron: Words, rus: Words, spa: Words, swe: Words, tha: Words, tur: Words, ukr: Words, vie: Words, zho: Words;
}
